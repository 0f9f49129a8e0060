import type { presentSession, presentUser } from "../../modules/accounts/index.ts"
import { call, callOnce, read } from "./http.ts"
import type { Frozen } from "./types.ts"

/** Who is signed in (contract B8.3.1). */
export type User = Frozen<ReturnType<typeof presentUser>>

/** Where the account is signed in (contract B8.2.13). */
export type UserSession = Frozen<ReturnType<typeof presentSession>>

export interface Credentials {
  readonly email: string
  readonly password: string
}

export const getUser = (): Promise<User> => read("/users/@me")

/** Whether the first account is still to be made. */
export const needsSetup = async (): Promise<boolean> =>
  (await read<{ data: { required: boolean } }>("/auth/setup")).data.required

/** One attempt: a 401 is the answer to it. */
async function post(path: string, body: unknown): Promise<void> {
  await callOnce(`/auth/${path}`, { method: "POST", body })
}

export const signUp = (account: Credentials & { readonly setupToken?: string }): Promise<void> =>
  post("signup", account)
export const signIn = (credentials: Credentials): Promise<void> => post("login", credentials)
export const confirmAddress = (token: string): Promise<void> => post("verify-email", { token })
export const requestConfirmation = (): Promise<void> => post("request-verification", {})
export const requestPasswordReset = (email: string): Promise<void> => post("request-password-reset", { email })
export const resetPassword = (token: string, newPassword: string): Promise<void> =>
  post("reset-password", { token, newPassword })
export const changePassword = (currentPassword: string, newPassword: string): Promise<void> =>
  post("change-password", { currentPassword, newPassword })
export const changeAddress = (email: string, password: string): Promise<void> =>
  post("change-email", { email, password })
export const givePassword = (password: string): Promise<void> => post("reauthenticate", { password })

export const listSessions = async (): Promise<readonly UserSession[]> =>
  (await read<{ data: readonly UserSession[] }>("/auth/sessions")).data

export async function endSession(id: string): Promise<void> {
  await call(`/auth/sessions/${encodeURIComponent(id)}`, { method: "DELETE" })
}

/** Ends the session, and leaves nothing of it in this tab. */
export async function signOut(): Promise<void> {
  await callOnce("/auth/logout")
  location.assign("/app")
}
