import { cookie } from "@elysiajs/cookie"
import { Elysia, NotFoundError } from "elysia"
import { type Sessions, sessionCookie, sessionMs } from "./session.ts"

export interface DashboardDeps {
  /** Answers the dashboard's own paths, undefined for the rest. */
  readonly host: { handle(request: Request): Promise<Response | undefined> }
  readonly sessions: Sessions
  now(): number
  /** The address of the peer that a request came from, if it is known. */
  addressOf(request: Request): string | undefined
  /** The user whom the page signs in by itself, for a visitor from this very machine; nobody when undefined. */
  readonly signsIn?: string
  /** Whether browsers reach us by https. */
  readonly secure: () => boolean
}

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/**
 * The dashboard's page and files below `/app`. In the sandbox a page that is asked for from loopback, under a loopback
 * name, signs in the built-in owner (contract A8.3.6); the name counts so that another site cannot point its own at this
 * machine.
 */
export function dashboardRoutes({ host, sessions, now, addressOf, signsIn, secure }: DashboardDeps) {
  const isLocal = (request: Request): boolean =>
    loopback.test(addressOf(request) ?? "") && loopbackHost.test(request.headers.get("host") ?? "")

  async function answer(request: Request, signIn: (userId: string) => void): Promise<Response> {
    const page = await host.handle(request)
    if (page === undefined) throw new NotFoundError()
    const isPage = page.headers.get("Content-Type")?.startsWith("text/html")
    if (signsIn !== undefined && isPage && isLocal(request)) signIn(signsIn)
    return page
  }

  return new Elysia({ detail: { hide: true } })
    .use(cookie({ httpOnly: true, path: "/", sameSite: "lax", maxAge: sessionMs / 1_000 }).as("scoped"))
    .derive(({ setCookie }) => ({
      signIn: (userId: string) => setCookie(sessionCookie, sessions.issue(userId, now()), { secure: secure() }),
    }))
    .get("/app", ({ request, signIn }) => answer(request, signIn))
    .get("/app/*", ({ request, signIn }) => answer(request, signIn))
}
