import type { Segment } from "./table.ts"

/** The fields of a segment that a request sets. */
export type SegmentFields = Pick<Segment, "name" | "description" | "type" | "condition" | "trackMembership">

/** The fields that a request changes; `undefined` keeps the stored value. The type never changes (contract B3.1.1). */
export type SegmentChange = { readonly [K in keyof Omit<SegmentFields, "type">]?: SegmentFields[K] | undefined }

/** The present name as a part of event names (contract B3.1.2); the id when no character of the name is allowed. */
export function slugOf({ id, name }: Pick<Segment, "id" | "name">): string {
  const kept = name.toLowerCase().replace(/[^a-z0-9_\-\s]/g, "")
  const joined = kept.trim().replace(/\s+/g, "-").replace(/-+/g, "-")
  return joined.replace(/^-|-$/g, "") || id
}

export type MembershipEvent = "entry" | "exit"

/** The name of the event of a join or a leave (contract B4.4.10). */
export const eventOf = (segment: Pick<Segment, "id" | "name">, kind: MembershipEvent): string =>
  `segment.${slugOf(segment)}.${kind}`

/** Events of segments cause no reevaluation, so that segments cannot trigger each other for ever (contract B3.4.3). */
export const isSegmentEvent = (name: string): boolean => /^segment\..+\.(?:entry|exit)$/s.test(name)

/** Whether recorded membership follows a condition. Otherwise it is a list, or is evaluated when asked. */
export const isTracked = ({ type, trackMembership }: Pick<Segment, "type" | "trackMembership">): boolean =>
  type === "DYNAMIC" && trackMembership

/** Whether the membership table says who is in the segment for conditions on it (contract B2.4.14). */
export const isRecorded = ({ type, trackMembership }: Pick<Segment, "type" | "trackMembership">): boolean =>
  type === "STATIC" || trackMembership

/** The segment after a change; the same object when nothing changes (contract A1.1.6). */
export function changed(known: Segment, change: SegmentChange, now: number): Segment {
  const changes = Object.entries(change).filter(
    ([field, value]) => value !== undefined && !isSame(value, known[field as keyof SegmentChange]),
  )
  return changes.length === 0 ? known : { ...known, ...Object.fromEntries(changes), updatedAt: now }
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other))
