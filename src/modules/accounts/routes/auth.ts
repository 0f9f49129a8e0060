import { Elysia } from "elysia"
import { isFromElsewhere } from "../../../http/auth.ts"
import { type SessionCookies, sessionCookies } from "../../../http/cookies.ts"
import { byAnyone, bySession } from "../../../http/openapi/describe.ts"
import { pathId } from "../../../http/path-id.ts"
import type { Protect } from "../../../http/protect.ts"
import { cookieOf, deviceCookie, type SessionClaims } from "../../../http/session.ts"
import { canonicalAddress } from "../../../kernel/email-address.ts"
import { acceptedLanguage } from "../../../mail/render/index.ts"
import type { Accounts } from "../actions.ts"
import type { Client } from "../client.ts"
import {
  accountAnswer,
  accountCreated,
  noteAnswer,
  oauthAnswer,
  refusal,
  sessionsAnswer,
  setupAnswer,
} from "../document.ts"
import type { SignInResult } from "../sign-in.ts"
import {
  changeEmailBody,
  changePasswordBody,
  emailBody,
  loginBody,
  note,
  passwordBody,
  presentSession,
  resetBody,
  signupBody,
  tokenBody,
} from "../wire.ts"

interface Peer {
  readonly address: string
  readonly isLocal: boolean
}

const clientOf = (request: Request, peer: Peer): Client => ({
  ...peer,
  userAgent: request.headers.get("user-agent") ?? "",
  device: cookieOf(request, deviceCookie),
  language: acceptedLanguage(request.headers.get("accept-language")),
})

const claimsOf = ({ session }: SignInResult): SessionClaims => ({
  sessionId: session.id,
  userId: session.userId,
  createdAt: session.createdAt,
  expiresAt: session.expiresAt,
})

/** Sign-up, sign-in, passwords, addresses and sessions (contract B8.2). */
export function authRoutes(accounts: Accounts, protect: Protect, cookies: SessionCookies) {
  const open = new Elysia({ prefix: "/auth", detail: { tags: ["Sign-in"], security: byAnyone } })
    .use(protect.anyone())
    .use(sessionCookies(cookies))
    .post(
      "/signup",
      async ({ body, request, peer, set, signIn }) => {
        const client = clientOf(request, peer)
        const email = canonicalAddress(body.email)
        const entered = await accounts.signup({ ...body, email, setupToken: body.setupToken ?? undefined }, client)
        signIn(claimsOf(entered), accounts.deviceCookie(entered.user, client.device))
        set.status = 201
        return { success: true, data: { id: entered.user.id, email } }
      },
      { body: signupBody, detail: { operationId: "signUp", summary: "Make an account", responses: accountCreated } },
    )
    .post(
      "/login",
      async ({ body, request, peer, signIn }) => {
        const client = clientOf(request, peer)
        const email = canonicalAddress(body.email)
        const entered = await accounts.login({ email, password: body.password }, client)
        signIn(claimsOf(entered), accounts.deviceCookie(entered.user, client.device))
        return { success: true, data: { id: entered.user.id, email } }
      },
      { body: loginBody, detail: { operationId: "signIn", summary: "Sign in", responses: accountAnswer } },
    )
    .get(
      "/logout",
      async ({ request, set, signOut }) => {
        set.headers["content-type"] = "application/json"
        // A page of another origin can load this address, which must not end the session.
        if (isFromElsewhere(request)) return "true"
        await accounts.endSessionOf(request)
        signOut()
        return "true"
      },
      { detail: { operationId: "signOut", summary: "Sign out", responses: refusal.true } },
    )
    .get("/oauth-config", () => ({ success: true, data: { github: false, google: false } }), {
      detail: { operationId: "getOauthConfig", summary: "Other ways to sign in: none", responses: oauthAnswer },
    })
    .get("/setup", async () => ({ success: true, data: { required: await accounts.needsSetup() } }), {
      detail: {
        operationId: "getSetup",
        summary: "Whether the first account is still to be made",
        responses: setupAnswer,
      },
    })
    .post(
      "/verify-email",
      async ({ body }) => {
        await accounts.verifyEmail(body.token)
        return note("Your address is confirmed.")
      },
      {
        body: tokenBody,
        detail: { operationId: "confirmAddress", summary: "Confirm an address", responses: noteAnswer },
      },
    )
    .post(
      "/request-password-reset",
      async ({ body, request, peer }) => {
        await accounts.requestPasswordReset(canonicalAddress(body.email), clientOf(request, peer))
        return note("If there is an account with this address, a link is on its way to it.")
      },
      {
        body: emailBody,
        detail: {
          operationId: "requestPasswordReset",
          summary: "Ask for a link to set a new password",
          responses: noteAnswer,
        },
      },
    )
    .post(
      "/reset-password",
      async ({ body, request, peer, rememberDevice }) => {
        const client = clientOf(request, peer)
        rememberDevice(accounts.deviceCookie(await accounts.resetPassword(body, client), client.device))
        return note("Your new password is set. Sign in with it.")
      },
      {
        body: resetBody,
        detail: { operationId: "resetPassword", summary: "Set a new password", responses: noteAnswer },
      },
    )

  const signedIn = new Elysia({ prefix: "/auth", detail: { tags: ["Sign-in"], security: bySession } })
    .use(protect.user({ unverified: true }))
    .use(sessionCookies(cookies))
    .post(
      "/request-verification",
      async ({ user }) => {
        await accounts.requestVerification(user)
        return note("A link to confirm your address is on its way.")
      },
      {
        detail: {
          operationId: "requestVerification",
          summary: "Ask for a link to confirm the address",
          responses: noteAnswer,
        },
      },
    )
    .post(
      "/change-password",
      async ({ body, user, request, peer, rememberDevice }) => {
        const client = clientOf(request, peer)
        rememberDevice(accounts.deviceCookie(await accounts.changePassword(user, body, client), client.device))
        return note("Your new password is set. You are signed out everywhere else.")
      },
      {
        body: changePasswordBody,
        detail: { operationId: "changePassword", summary: "Change the password", responses: noteAnswer },
      },
    )
    .post(
      "/change-email",
      async ({ body, user, request, peer }) => {
        await accounts.changeEmail(user, { ...body, email: canonicalAddress(body.email) }, clientOf(request, peer))
        return note("A link is on its way to the new address.")
      },
      {
        body: changeEmailBody,
        detail: { operationId: "changeEmail", summary: "Change the address", responses: noteAnswer },
      },
    )
    .post(
      "/reauthenticate",
      async ({ body, user, request, peer }) => {
        await accounts.reauthenticate(user, body.password, clientOf(request, peer))
        return note("Thank you.")
      },
      {
        body: passwordBody,
        detail: { operationId: "reauthenticate", summary: "Give the password again", responses: noteAnswer },
      },
    )
    .get(
      "/sessions",
      async ({ user }) => ({
        success: true,
        data: (await accounts.sessionsOf(user)).map((session) => presentSession(session, user.sessionId)),
      }),
      { detail: { operationId: "listSessions", summary: "Where the account is signed in", responses: sessionsAnswer } },
    )
    .delete(
      "/sessions/:id",
      async ({ user, params, set }) => {
        await accounts.endSession(user, pathId("Session", params.id))
        set.status = 204
      },
      { detail: { operationId: "endSession", summary: "End a session", responses: refusal.gone } },
    )

  return new Elysia().use(open).use(signedIn)
}
