import { Elysia, NotFoundError } from "elysia"
import { type SessionCookies, sessionCookies } from "./cookies.ts"
import { isLocal } from "./local.ts"
import { readSession, type SessionClaims } from "./session.ts"

/** The visitor of a dashboard page. */
export interface Visitor {
  readonly sandbox: boolean
  /** Those that the visitor may open; at least one. */
  readonly projects: readonly { readonly id: string; readonly name: string }[]
}

interface DashboardDeps extends SessionCookies {
  /** Answers the paths of the dashboard; undefined for others. Asks for the visitor of a page. */
  readonly host: {
    handle(request: Request, visitor: () => Promise<Visitor | undefined>): Promise<Response | undefined>
  }
  /** Undefined for a visitor to whom a screen is shown before the dashboard, for example one who is not signed in. */
  visitorOf(claims: SessionClaims): Promise<Visitor | undefined>
  readonly now: () => number
  /** The address of the peer that a request came from, if it is known. */
  addressOf(request: Request): string | undefined
  /**
   * Creates a session for a visitor from this machine, unless the request has one. Without this function there is none.
   */
  readonly enter?: (request: Request) => Promise<SessionClaims | undefined>
}

/**
 * Whether a person opens the page. Browsers send this at loopback addresses. Programs do not send it and are accepted
 * (contract A8.3.6), and so are old browsers, whose scripts are recognized by `Origin`.
 */
function isNavigation({ headers }: Request): boolean {
  const mode = headers.get("sec-fetch-mode")
  if (mode === null) return !headers.has("origin")
  return mode === "navigate" || (mode === "same-origin" && headers.get("sec-fetch-site") === "same-origin")
}

/** Links with a token are as good as a password, so their page must not be cached. */
const withToken = /[?&]token=/

/**
 * The dashboard's page and files below `/app`. In the sandbox a page requested from this machine signs in the built-in
 * owner (contract A8.3.6), if a person opens it and not a script or an image of a page.
 */
export function dashboardRoutes({ host, addressOf, visitorOf, now, enter, ...cookies }: DashboardDeps) {
  async function answer(request: Request, signIn: (session: SessionClaims) => void): Promise<Response> {
    const page = await host.handle(request, async () => {
      const claims = await entered(request, signIn)
      return claims && visitorOf(claims)
    })
    if (page === undefined) throw new NotFoundError()
    // Links of mail lead here with a token, which must not be sent on as the referrer.
    page.headers.set("Referrer-Policy", "no-referrer")
    if (withToken.test(request.url)) page.headers.set("Cache-Control", "no-store")
    return page
  }

  /** The session of a request for a page, which may begin with it. */
  async function entered(
    request: Request,
    signIn: (session: SessionClaims) => void,
  ): Promise<SessionClaims | undefined> {
    const mayEnter = enter && isNavigation(request) && isLocal(request, addressOf(request))
    const session = mayEnter ? await enter(request) : undefined
    if (session) signIn(session)
    return session ?? readSession(request, cookies.sessions, now())
  }

  return new Elysia({ detail: { hide: true } })
    .use(sessionCookies(cookies))
    .get("/app", ({ request, signIn }) => answer(request, signIn))
    .get("/app/*", ({ request, signIn }) => answer(request, signIn))
}
