import { Database } from "bun:sqlite"
import { join } from "node:path"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import type { TestApp } from "./app.ts"
import type { Zone, ZoneRecord } from "./dns-server.ts"

/** A record of a domain, as the API shows it. */
export interface DnsRecord {
  readonly purpose: string
  readonly type: "TXT" | "MX" | "CNAME"
  readonly name: string
  readonly value: string
  readonly priority?: number
  readonly required: boolean
  readonly rotation?: "next" | "old"
  readonly status: string
  readonly found: readonly string[]
}

/** A TXT record is made of strings of at most 255 octets (RFC 1035, 3.3.14). */
export const inStrings = (text: string): string[] => text.match(/.{1,255}/g) ?? []

/** The zone that has these records. */
export function zoneOf(records: readonly DnsRecord[]): Zone {
  const zone: Record<string, ZoneRecord[]> = {}
  for (const { type, name, value, priority } of records) {
    const data = type === "MX" ? { preference: priority, exchange: value } : inStrings(value)
    zone[name] = [...(zone[name] ?? []), [type, data, 1]]
  }
  return zone
}

/** Gives a domain its verification or takes it away, as another process would, which the running one has to notice. */
export async function setVerified(
  { folder }: Pick<TestApp, "folder">,
  domain: string,
  verified: boolean,
): Promise<void> {
  const other = new Database(join(folder, "mailstead.db"))
  other.run("UPDATE domain SET verified = ? WHERE domain = ?", [verified, domain])
  other.close()
  await yieldToEventLoop()
}
