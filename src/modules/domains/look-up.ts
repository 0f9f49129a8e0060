import type { Dns, DnsAnswer } from "../../net/dns.ts"
import type { ExpectedRecord } from "./records.ts"

/** The result of a lookup; undefined when no server answered, which changes nothing (contract B6.7). */
interface Lookup {
  readonly matches: boolean
  /** The published values, shortened for display. */
  readonly found: readonly string[]
}

export type Lookups = ReadonlyMap<string, Lookup>

/** The longest shown value: enough for a DKIM key, short enough for a page and a row. */
const longestShown = 600
const mostShown = 10

/**
 * Looks up all records concurrently, without the cache: a check counts what the DNS says at its time, also when checks
 * are closer together than the cache keeps answers.
 */
export async function lookUp(dns: Dns, records: readonly ExpectedRecord[]): Promise<Lookups> {
  const answers = await Promise.all(records.map((record) => countedFor(dns, record)))
  const lookups = new Map<string, Lookup>()
  records.forEach((record, at) => {
    const published = answers[at] ?? (record.found && [])
    if (published === undefined) return
    const matches = record.found === undefined ? isAmong(published, record) : record.found === "VERIFIED"
    lookups.set(record.key, {
      matches,
      found: matches ? [] : published.slice(0, mostShown).map((one) => one.slice(0, longestShown)),
    })
  })
  return lookups
}

/** Whether one of the published values is sufficient, and no other value invalidates it. */
const isAmong = (published: readonly string[], { matches, isOfKind }: ExpectedRecord): boolean =>
  published.some((one) => matches(one)) && (isOfKind === undefined || published.filter(isOfKind).length === 1)

/** The values at the name of a record, or at a parent name where that is sufficient instead. */
async function countedFor(dns: Dns, record: ExpectedRecord): Promise<string[] | undefined> {
  const { alsoAt = [], isOfKind = () => false } = record
  const own = await publishedFor(dns, record)
  if (own === undefined || own.some(isOfKind)) return own
  for (const name of alsoAt) {
    const above = await publishedFor(dns, { ...record, name })
    if (above === undefined || isAmong(above, record)) return above
  }
  return own
}

async function publishedFor(dns: Dns, { type, name }: ExpectedRecord): Promise<string[] | undefined> {
  switch (type) {
    case "TXT":
      return published(await dns.txt(name, { fresh: true }), (text) => text)
    case "CNAME":
      return published(await dns.cname(name, { fresh: true }), (target) => target)
    case "MX":
      return published(await dns.mx(name, { fresh: true }), ({ exchange }) => exchange)
  }
}

const published = <R>(answer: DnsAnswer<R>, show: (record: R) => string): string[] | undefined =>
  answer.kind === "found" ? answer.records.map(show) : answer.kind === "no_answer" ? undefined : []
