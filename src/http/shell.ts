import type { Ids } from "../kernel/ids.ts"
import { requestIdHeader, requestIdOf } from "./request-id.ts"
import { type Sessions, sessionCookie, sessionMs } from "./session.ts"

interface Parts {
  /** Answers what is the dashboard's, and undefined for the rest. */
  readonly host: { handle(request: Request): Promise<Response | undefined> }
  readonly sessions: Sessions
  readonly ids: Ids
  now(): number
  /** Whom the page signs in by itself, for a visitor from this very machine; nobody when undefined. */
  readonly signsIn?: string
  /** Whether browsers reach us by https. */
  readonly secure: () => boolean
}

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/**
 * Answers below `/app`. In the sandbox a page that is asked for from loopback, under a loopback name, signs in the
 * built-in owner (contract A8.3.6); the name counts so that another site cannot point its own at this machine.
 */
export function dashboardShell({ host, sessions, ids, now, signsIn, secure }: Parts) {
  return async (request: Request, address: string | undefined): Promise<Response | undefined> => {
    const page = await host.handle(request)
    page?.headers.set(requestIdHeader, requestIdOf(request, ids))
    if (page === undefined || signsIn === undefined || !isLocal(request, address)) return page
    if (!page.headers.get("Content-Type")?.startsWith("text/html")) return page
    const cookie = new Bun.Cookie(sessionCookie, sessions.issue(signsIn, now()), {
      httpOnly: true,
      path: "/",
      sameSite: "lax",
      maxAge: sessionMs / 1_000,
      secure: secure(),
    })
    page.headers.append("Set-Cookie", cookie.toString())
    return page
  }
}

const isLocal = (request: Request, address: string | undefined): boolean =>
  address !== undefined && loopback.test(address) && loopbackHost.test(request.headers.get("host") ?? "")
