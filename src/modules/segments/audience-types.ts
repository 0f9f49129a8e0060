import type { ConditionJson } from "../../conditions/index.ts"
import type { Fault } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Db } from "../../store/database.ts"

/** Whom a campaign is for (contract B1.5). */
export type Audience = (
  | { readonly kind: "ALL" }
  /** What `GET /segments/{id}/contacts` lists; nobody when the segment is gone. */
  | { readonly kind: "SEGMENT"; readonly segmentId: string }
  | { readonly kind: "FILTERED"; readonly condition: ConditionJson }
) & {
  /** Only contacts with `subscribed` true. */
  readonly subscribedOnly: boolean
  /** The instant that conditions are evaluated at, ms; now when left out. */
  readonly at?: number | undefined
}

/** A contact of an audience, with what rendering needs. */
export interface Recipient {
  readonly seq: number
  readonly id: string
  readonly email: string
  readonly subscribed: boolean
  readonly data: JsonObject
}

/** A stretch of a walk over an audience. */
export interface WalkedStretch {
  /** By rising `seq`, `limit` of them at the most. */
  readonly recipients: readonly Recipient[]
  /**
   * The walk is done with every contact up to this `seq`, also when it found nobody: what to go on after. The walk is
   * over when it is `until`.
   */
  readonly position: number
}

/** What campaigns go by. Nothing here is called inside a unit of work but those that take a `db`. */
export interface Audiences {
  /** How many contacts belong to it now. Costs a row for ALL, and a look at every contact aside for the others. */
  count(projectId: string, audience: Audience): Promise<number>
  /** The greatest `seq` there is: where a walk that begins now ends. 0 without contacts. */
  lastSeq(db: Db): Promise<number>
  /**
   * The next contacts of the audience with `after < seq <= until`. Looks at a bounded number of contacts, so it may find
   * fewer than `limit`, or none, without being at the end.
   */
  next(projectId: string, audience: Audience, after: number, until: number, limit: number): Promise<WalkedStretch>
  /** Contacts as they are now, by rising `seq`, without those deleted since: read inside the unit that mails them. */
  present(db: Db, projectId: string, seqs: readonly number[]): Promise<Recipient[]>
  hasSegment(db: Db, projectId: string, segmentId: string): Promise<boolean>
  /**
   * Reads a condition as it was sent, an object: what is stored of it, or every fault of it (B2.5), unknown segments
   * included, each under its path: `audienceCondition.groups.0.filters.1.operator`.
   */
  read(db: Db, projectId: string, sent: unknown, path: string): Promise<ReadCondition>
  /** The segments that a stored condition names. */
  segmentsIn(condition: ConditionJson): ReadonlySet<string>
  /** Whether a stored condition names a field, `data.plan` or deeper. */
  namesField(condition: ConditionJson, path: string): boolean
}

export type ReadCondition = { readonly condition: ConditionJson } | { readonly faults: readonly Fault[] }
