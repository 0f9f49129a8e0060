import { Database } from "bun:sqlite"
import { join } from "node:path"
import { addressOf, type Errand } from "./load.ts"
import type { Sink } from "./sink.ts"

export interface Tally {
  readonly kills: number
  readonly acknowledged: number
  readonly events: number
  readonly mails: number
  /** Transactional mails that were in flight at a kill and arrived twice, with the same Message-ID. */
  readonly repeated: number
  /** Bulk mails whose hand-over had begun at a kill: failed rather than sent twice. */
  readonly outcomeUnknown: number
  /** Sentences; empty when every promise was kept. */
  readonly broken: readonly string[]
}

interface Row {
  to_address: string
  status: string
  error: string | null
  attempt: number
}

/** Compares the acknowledgements with the store and the mail that arrived. The server is stopped. */
export function judge(folder: string, errands: readonly Errand[], { arrivals, opened }: Sink, kills: number): Tally {
  const db = new Database(join(folder, "mailstead.db"), { readonly: true })
  const events = new Map<number, number>()
  for (const { data } of db.query("SELECT data FROM event WHERE name = 'errand'").all() as { data: string }[]) {
    const { number } = JSON.parse(data) as { number: number }
    events.set(number, (events.get(number) ?? 0) + 1)
  }
  const ledger = new Map<string, Row[]>()
  for (const row of db.query("SELECT to_address, status, error, attempt FROM email").all() as Row[])
    ledger.set(row.to_address, [...(ledger.get(row.to_address) ?? []), row])
  db.close()

  const broken: string[] = []
  let repeated = 0
  let outcomeUnknown = 0
  for (const errand of errands) {
    const name = addressOf(errand)
    const count = errand.kind === "track" ? (events.get(errand.number) ?? 0) : (ledger.get(name)?.length ?? 0)
    if (count > 1) broken.push(`${name} is in the store ${count} times`)
    if (errand.acknowledged && count === 0) broken.push(`${name} was acknowledged and is not in the store`)
    if (errand.kind === "track") continue
    const [row] = ledger.get(name) ?? []
    const came = arrivals.get(name) ?? []
    if (row === undefined) {
      if (came.length > 0) broken.push(`${name} arrived and is not in the store`)
      continue
    }
    const unknown = row.status === "FAILED" && row.error === "outcome_unknown"
    if (unknown) outcomeUnknown++
    if (unknown && !opened.has(name)) broken.push(`${name} is outcome_unknown, but nothing of it was handed over`)
    if (errand.kind === "marketing" && came.length > 1)
      broken.push(`${name} is bulk mail and arrived ${came.length} times`)
    if (errand.kind === "marketing" && came.length === 0 && !unknown)
      broken.push(`${name} is ${row.status} and never arrived`)
    if (errand.kind === "transactional") {
      if (row.status !== "SENT") broken.push(`${name} is ${row.status}: ${row.error}`)
      if (came.length === 0) broken.push(`${name} never arrived`)
      if (new Set(came).size > 1) broken.push(`${name} arrived under ${new Set(came).size} Message-IDs`)
      if (came.length > row.attempt) broken.push(`${name} arrived ${came.length} times after ${row.attempt} attempts`)
      if (came.length > 1) repeated++
    }
  }
  return {
    kills,
    acknowledged: errands.filter((errand) => errand.acknowledged).length,
    events: events.size,
    mails: ledger.size,
    repeated,
    outcomeUnknown,
    broken,
  }
}
