import { cookie } from "@elysiajs/cookie"
import { day } from "../kernel/clock.ts"
import { deviceCookie, type SessionClaims, type Sessions, sessionCookie, sessionMs } from "./session.ts"

/** The cookies of a signed-in browser (contract B8.1.1, B8.1.4). Neither can be read by a script of the page. */
export interface SessionCookies {
  readonly sessions: Sessions
  /** Whether browsers use https. */
  readonly secure: () => boolean
}

const yearSeconds = (365 * day) / 1_000

/**
 * For the routes used with it, one of them in an answer: `signIn` sets the cookies of a session and of its device,
 * `rememberDevice` only the latter, `signOut` clears the session's.
 */
export const sessionCookies = ({ sessions, secure }: SessionCookies) => {
  const ofDevice = () => ({ path: "/auth", maxAge: yearSeconds, secure: secure() })
  return cookie({ httpOnly: true, path: "/", sameSite: "lax" })
    .derive(({ setCookie, set }) => ({
      signIn(session: SessionClaims, device?: string) {
        setCookie(sessionCookie, sessions.issue(session), { maxAge: sessionMs / 1_000, secure: secure() })
        if (device !== undefined) setCookie(deviceCookie, device, ofDevice())
        separate(set.headers)
      },
      rememberDevice(device: string) {
        setCookie(deviceCookie, device, ofDevice())
        separate(set.headers)
      },
      signOut() {
        setCookie(sessionCookie, "", { maxAge: 0, secure: secure() })
        separate(set.headers)
      },
    }))
    .as("scoped")
}

/** With the plugin's spelling of the header name Elysia would send a list as one header; each cookie needs its own. */
function separate(headers: Record<string, unknown>): void {
  headers["set-cookie"] = headers["Set-Cookie"]
  delete headers["Set-Cookie"]
}
