import { readEndpoint } from "../../src/kernel/api-call.ts"
import type { Outgoing } from "../../src/mail/transport.ts"

export interface PostmarkOptions {
  readonly token: string
  readonly endpoint: string
  /** The message stream of each of our streams. */
  readonly streams: Readonly<Record<Outgoing["stream"], string>>
  /** Requests at once. */
  readonly pool: number
  readonly timeoutMs: number
}

const known = ["transactional", "bulk", "endpoint", "pool", "timeout"]

/** Throws an Error that says what is wrong, without anything secret in it. */
export function readOptions(url: URL): PostmarkOptions {
  const query = new Map(url.searchParams)
  for (const name of query.keys()) {
    if (!known.includes(name)) throw new Error(`there is no option "${name}"; the options are ${known.join(", ")}`)
  }
  const token = url.hostname
  if (!/^[\w-]{8,100}$/.test(token)) throw new Error("write it as postmark://TOKEN with the token of a Postmark server")
  return {
    token,
    endpoint: readEndpoint("endpoint", query.get("endpoint") ?? "https://api.postmarkapp.com"),
    // The streams that every Postmark server begins with.
    streams: {
      transactional: readStream("transactional", query.get("transactional") ?? "outbound"),
      bulk: readStream("bulk", query.get("bulk") ?? "broadcast"),
    },
    pool: readWhole("pool", query.get("pool"), { most: 50, absent: 4 }),
    timeoutMs: 1_000 * readWhole("timeout", query.get("timeout"), { most: 300, absent: 60 }),
  }
}

function readStream(name: string, value: string): string {
  if (/^[\w-]{1,60}$/.test(value)) return value
  throw new Error(`${name} is the id of a message stream, such as outbound`)
}

function readWhole(name: string, text: string | undefined, { most, absent }: { most: number; absent: number }): number {
  if (text === undefined) return absent
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new Error(`${name} is a whole number from 1 to ${most}`)
}
