import { LRUCache } from "lru-cache"
import { day, minute } from "../kernel/clock.ts"
import { isObject } from "../kernel/json.ts"
import type { Secret } from "../store/secret.ts"

export const sessionCookie = "mailstead_session"
/**
 * Identifies a device on which an account was signed in; its failed sign-ins are counted separately (contract B8.1.4).
 */
export const deviceCookie = "mailstead_device"
/** Seven days from login, not extended (contract B8.1.1). */
export const sessionMs = 7 * day

/** The claims of a session token; its row determines whether the session still exists. */
export interface SessionClaims {
  readonly sessionId: string
  readonly userId: string
  /** In ms, as `expiresAt`. */
  readonly createdAt: number
  readonly expiresAt: number
}

/** Signed session tokens: JSON Web Tokens (RFC 7519) with HS256. */
export interface Sessions {
  issue(session: SessionClaims): string
  /** Undefined unless the token is signed by us with this algorithm, unaltered and not expired. */
  read(token: string, now: number): SessionClaims | undefined
}

const header = encode({ alg: "HS256", typ: "JWT" })

export function createSessions(secret: Secret): Sessions {
  const purpose = "session"
  /** Parsed claims are cached, because they never change; whether the token is still valid is checked each time. */
  const verified = new LRUCache<string, SessionClaims>({ max: 1_000 })

  /** The claims of a token of ours, of this algorithm and unaltered. */
  function verify(token: string): SessionClaims | undefined {
    const [head, body, signature, ...rest] = token.split(".")
    if (head !== header || body === undefined || signature === undefined || rest.length > 0) return undefined
    if (!secret.verify(purpose, `${head}.${body}`, Buffer.from(signature, "base64url"))) return undefined
    const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString("utf8"))
    if (!isObject(claims)) return undefined
    const { sub: userId, sid: sessionId, iat, exp } = claims
    if (typeof userId !== "string" || typeof sessionId !== "string") return undefined
    if (typeof iat !== "number" || typeof exp !== "number") return undefined
    return { sessionId, userId, createdAt: iat * 1_000, expiresAt: exp * 1_000 }
  }

  return {
    issue({ sessionId, userId, createdAt, expiresAt }) {
      const claims = {
        sub: userId,
        sid: sessionId,
        iat: Math.floor(createdAt / 1_000),
        exp: Math.floor(expiresAt / 1_000),
      }
      const signed = `${header}.${encode(claims)}`
      return `${signed}.${secret.sign(purpose, signed).toString("base64url")}`
    },
    read(token, now) {
      const claims = verified.get(token) ?? verify(token)
      if (claims === undefined) return undefined
      verified.set(token, claims)
      // A token issued while the clock was ahead would be valid for too long.
      return claims.expiresAt <= now || claims.createdAt > now + minute ? undefined : claims
    },
  }
}

/** A cookie of a request. Read from the header, because credentials are checked before Elysia's cookie plugin runs. */
export function cookieOf(request: Request, name: string): string | undefined {
  const cookies = request.headers.get("cookie")
  return (cookies === null ? null : new Bun.CookieMap(cookies).get(name)) ?? undefined
}

/**
 * The session of a request, if its cookie is valid; ignored when there is an Authorization header (contract A1.5.2).
 */
export function readSession(request: Request, sessions: Sessions, now: number): SessionClaims | undefined {
  if (request.headers.has("authorization")) return undefined
  const token = cookieOf(request, sessionCookie)
  return token ? sessions.read(token, now) : undefined
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}
