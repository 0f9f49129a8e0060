import type { presentSession, presentUser } from "../../modules/accounts/index.ts"
import { call, callOnce, read } from "./http.ts"
import type { Frozen } from "./types.ts"

/** The signed-in user (contract B8.3.1). */
export type User = Frozen<ReturnType<typeof presentUser>>

/** A session of the account (contract B8.2.13). */
export type UserSession = Frozen<ReturnType<typeof presentSession>>

export interface Credentials {
  readonly email: string
  readonly password: string
}

export const getUser = (): Promise<User> => read("/users/@me")

/** Whether the first account has yet to be created. */
export const needsSetup = async (): Promise<boolean> =>
  (await read<{ data: { required: boolean } }>("/auth/setup")).data.required

/** Without a session. */
async function post(path: string, body: unknown): Promise<void> {
  await callOnce(`/auth/${path}`, { method: "POST", body })
}

/** For the user who is signed in. */
async function postAsUser(path: string, body: unknown): Promise<void> {
  await call(`/auth/${path}`, { method: "POST", body })
}

export const signUp = (account: Credentials & { readonly setupToken?: string }): Promise<void> =>
  post("signup", account)
export const signIn = (credentials: Credentials): Promise<void> => post("login", credentials)
export const confirmAddress = (token: string): Promise<void> => post("verify-email", { token })
export const requestConfirmation = (): Promise<void> => postAsUser("request-verification", {})
export const requestPasswordReset = (email: string): Promise<void> => post("request-password-reset", { email })
export const resetPassword = (token: string, newPassword: string): Promise<void> =>
  post("reset-password", { token, newPassword })
export const changePassword = (currentPassword: string, newPassword: string): Promise<void> =>
  postAsUser("change-password", { currentPassword, newPassword })
export const changeAddress = (email: string, password: string): Promise<void> =>
  postAsUser("change-email", { email, password })
export const givePassword = (password: string): Promise<void> => postAsUser("reauthenticate", { password })

export const listSessions = async (): Promise<readonly UserSession[]> =>
  (await read<{ data: readonly UserSession[] }>("/auth/sessions")).data

export async function endSession(id: string): Promise<void> {
  await call(`/auth/sessions/${encodeURIComponent(id)}`, { method: "DELETE" })
}

/** Ends the session, and removes its data from this tab. */
export async function signOut(): Promise<void> {
  await callOnce("/auth/logout")
  location.assign("/app")
}
