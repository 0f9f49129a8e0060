import { createLog, type Log } from "../../kernel/log.ts"
import { percentDecoded } from "../../kernel/percent-encoding.ts"

/** Removes from a text what is secret in a transport URL. */
export type Scrub = (text: string) => string

// Shorter ones are ordinary words: without "mail" a reason could not be read.
const shortest = 8
const secretName = /pass|secret|token|key|auth|cred/i
// Options of the built-in transports that name things which reasons mention.
const plainName = /^(?:configuration_set|transactional|bulk)$/
// The names of ways to log in, which reasons mention.
const mechanism = /^(?:plain|login|cram-md5|xoauth2)$/
// A host that is in fact a token: it has no dot, and is longer than any region or machine name in use.
const tokenHost = /^[^.:]{24,}$/

/** The scrubber for one URL: password, user, option values other than paths, and a token in the place of the host. */
export function scrubberOf(url: URL): Scrub {
  const options = [...url.searchParams].filter(([name, value]) => name !== "auth" || !mechanism.test(value))
  const certain = [url.password, ...options.filter(([name]) => secretName.test(name)).map(([, value]) => value)]
  const possible = options.filter(([name, value]) => !plainName.test(name) && !value.includes("/"))
  const likely = [url.username, ...possible.map(([, value]) => value)]
  if (tokenHost.test(url.hostname)) certain.push(url.hostname)
  const secrets = [...certain, ...likely.filter((text) => text.length >= shortest)]
    .flatMap((text) => [text, percentDecoded(text), encodeURIComponent(text.toWellFormed())])
    .filter((text) => text !== "")
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text)
}

/** A log without the secrets of the URL, in messages and in the values beside them. */
export const scrubbedLog = (log: Log, scrub: Scrub): Log =>
  createLog((level, message, fields) => {
    const clean = Object.entries(fields).map(([name, value]) => [name, scrubValue(value, scrub)])
    log[level](scrub(message), Object.fromEntries(clean))
  }, "debug")

function scrubValue(value: unknown, scrub: Scrub): unknown {
  if (typeof value === "string") return scrub(value)
  if (value instanceof Error) return scrub(value.message)
  return typeof value === "object" && value !== null ? scrub(Bun.inspect(value, { depth: 2 })) : value
}
