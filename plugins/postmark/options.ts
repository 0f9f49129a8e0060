import { readEndpoint } from "../../src/kernel/api-call.ts"
import { optionsIn, wholeIn } from "../../src/kernel/url-options.ts"
import type { Outgoing } from "../../src/mail/transport.ts"

export interface PostmarkOptions {
  readonly token: string
  readonly endpoint: string
  /** Postmark's message stream for each of our streams. */
  readonly streams: Readonly<Record<Outgoing["stream"], string>>
  /** Requests at once. */
  readonly pool: number
  readonly timeoutMs: number
}

const known = ["transactional", "bulk", "endpoint", "pool", "timeout"]

/** Throws an Error that says what is wrong, without anything secret in it. */
export function readOptions(url: URL): PostmarkOptions {
  const query = optionsIn(url, known)
  const token = url.hostname
  if (!/^[\w-]{8,100}$/.test(token))
    throw new Error("postmark://TOKEN has the token of a Postmark server, 8 to 100 letters, digits, _ and -")
  return {
    token,
    endpoint: readEndpoint("endpoint", query.get("endpoint") ?? "https://api.postmarkapp.com"),
    // The streams that every Postmark server begins with.
    streams: {
      transactional: readStream("transactional", query.get("transactional"), "outbound"),
      bulk: readStream("bulk", query.get("bulk"), "broadcast"),
    },
    pool: wholeIn(query, "pool", { most: 50, absent: 4 }),
    timeoutMs: 1_000 * wholeIn(query, "timeout", { most: 300, absent: 60 }),
  }
}

function readStream(name: string, value: string | undefined, usual: string): string {
  if (value === undefined) return usual
  if (/^[\w-]{1,60}$/.test(value)) return value
  throw new Error(`${name} is the id of a message stream; without it that is ${usual}`)
}
