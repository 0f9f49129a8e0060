import type { Segment } from "./table.ts"

/** What a request can say of a segment. */
export type SegmentFields = Pick<Segment, "name" | "description" | "type" | "condition" | "trackMembership">

/** The fields that a request changes; `undefined` keeps what is there. A type never changes (contract B3.1.1). */
export type SegmentChange = { readonly [K in keyof Omit<SegmentFields, "type">]?: SegmentFields[K] | undefined }

/** The present name as a part of event names (contract B3.1.2); the id when nothing of the name is left. */
export function slugOf({ id, name }: Pick<Segment, "id" | "name">): string {
  const kept = name.toLowerCase().replace(/[^a-z0-9_\-\s]/g, "")
  const joined = kept.trim().replace(/\s+/g, "-").replace(/-+/g, "-")
  return joined.replace(/^-|-$/g, "") || id
}

export const moves = ["entry", "exit"] as const
export type Move = (typeof moves)[number]

/** The name of the event of a join or a leave (contract B4.4.10). */
export const eventOf = (segment: Pick<Segment, "id" | "name">, move: Move): string =>
  `segment.${slugOf(segment)}.${move}`

/** Events of segments do not make segments look again, so that these cannot chase each other (contract B3.4.3). */
export const isSegmentEvent = (name: string): boolean => /^segment\..+\.(?:entry|exit)$/s.test(name)

/** Whether membership is recorded as contacts change: for the others it is what somebody said, or what is found now. */
export const isTracked = ({ type, trackMembership }: Pick<Segment, "type" | "trackMembership">): boolean =>
  type === "DYNAMIC" && trackMembership

/** Whether the rows of the membership table count (contract B2.4.14). */
export const isRecorded = ({ type, trackMembership }: Pick<Segment, "type" | "trackMembership">): boolean =>
  type === "STATIC" || trackMembership

/** The segment after a change; the very same object when the change says nothing new (contract A1.1.6). */
export function changed(known: Segment, change: SegmentChange, now: number): Segment {
  const said = Object.entries(change).filter(
    ([field, value]) => value !== undefined && !isSame(value, known[field as keyof SegmentChange]),
  )
  return said.length === 0 ? known : { ...known, ...Object.fromEntries(said), updatedAt: now }
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other))
