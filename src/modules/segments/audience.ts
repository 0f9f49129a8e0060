import type { ConditionJson } from "../../conditions/index.ts"
import type { Fault } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { ReferenceTarget } from "../../references.ts"
import type { Db } from "../../store/database.ts"

/** The recipients of a campaign (contract B1.5). */
export type Audience = (
  | { readonly kind: "ALL" }
  /** The contacts that `GET /segments/{id}/contacts` lists; none when the segment is deleted. */
  | { readonly kind: "SEGMENT"; readonly segmentId: string }
  | { readonly kind: "FILTERED"; readonly condition: ConditionJson }
) & {
  /** Only contacts with `subscribed` true. */
  readonly subscribedOnly: boolean
  /** The instant at which conditions are evaluated, ms; now when left out. */
  readonly at?: number | undefined
}

/** A contact of an audience, with the data that rendering needs. */
export interface Recipient {
  readonly seq: number
  readonly id: string
  readonly email: string
  readonly subscribed: boolean
  readonly data: JsonObject
}

/** One step of a walk over an audience. */
export interface AudienceBatch {
  /** At most `limit` recipients by rising `seq`. */
  readonly recipients: readonly Recipient[]
  /**
   * The walk has covered every contact up to this `seq`, also where the batch is empty; the next step starts after it.
   * The walk is complete when it is `until`.
   */
  readonly position: number
}

/** Audiences for campaigns. Only functions that take a `db` may be called inside a unit of work. */
export interface Audiences {
  /** The present size. Reads one row for ALL, and evaluates every contact on the read pool for the others. */
  count(projectId: string, audience: Audience): Promise<number>
  /**
   * Brings the recorded members of the segments that an audience names, also by way of others, up to date where time alone
   * may have changed them: since the server was off, the periodic computation may still be to come.
   */
  refresh(projectId: string, audience: Audience, abort: AbortSignal): Promise<void>
  /** The greatest `seq` of all contacts, at which a walk that starts now ends. 0 without contacts. */
  lastSeq(db: Db): Promise<number>
  /**
   * The next contacts of the audience with `after < seq <= until`. Evaluates a bounded number of contacts, so that a batch
   * may hold fewer than `limit`, or none, before the end.
   */
  next(projectId: string, audience: Audience, after: number, until: number, limit: number): Promise<AudienceBatch>
  /** The contacts with these `seq` as they are now, by rising `seq`, without deleted ones: for the unit that mails them. */
  present(db: Db, projectId: string, seqs: readonly number[]): Promise<Recipient[]>
  hasSegment(db: Db, projectId: string, segmentId: string): Promise<boolean>
  /**
   * Checks a condition as it was sent, an object: resolves to its stored form, or to all its faults (contract B2.5),
   * unknown segments included, each under its path, such as `audienceCondition.groups.0.filters.1.operator`.
   */
  check(db: Db, projectId: string, sent: unknown, path: string): Promise<CheckedCondition>
  /** The segments that a stored condition names. */
  segmentsIn(condition: ConditionJson): ReadonlySet<string>
  /** Whether a stored condition names a field, such as `data.plan`, or something inside it, an event or a segment. */
  namesTarget(condition: ConditionJson, target: ReferenceTarget): boolean
  /** The ids of the segments whose condition names this one, or one that leads to it. */
  leadingTo(db: Db, projectId: string, segmentId: string): Promise<readonly string[]>
}

export type CheckedCondition = { readonly condition: ConditionJson } | { readonly faults: readonly Fault[] }
