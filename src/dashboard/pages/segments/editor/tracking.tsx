import { Switch } from "@mantine/core"
import type { Segment, SegmentType } from "../../../api/segments.ts"
import { useUsage } from "../../../queries/events.ts"
import { listenersIn, membershipEvents } from "../listeners.ts"
import { slugOf } from "../slug.ts"
import styles from "./tracking.module.css"

interface TrackingProps {
  segment: Segment | null
  type: SegmentType
  name: string
  on: boolean
  onChange(on: boolean): void
}

/** The switch for tracked membership, and its effects (contract B3.4). */
export function Tracking({ segment, type, name, on, onChange }: TrackingProps) {
  const slug = slugOf(name.trim()) ?? (name.trim() === "" ? "name" : (segment?.id ?? "id"))
  return (
    <section className={styles.tracking} aria-label="Tracking">
      <Switch
        label="Track who joins and leaves"
        description={meaning(type)}
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {on && (
        <dl className={styles.events}>
          <dt>Joining</dt>
          <dd>
            <code>segment.{slug}.entry</code>
          </dd>
          <dt>Leaving</dt>
          <dd>
            <code>segment.{slug}.exit</code>
          </dd>
        </dl>
      )}
      {note(segment, type, slug, on) && <p className={styles.trackNote}>{note(segment, type, slug, on)}</p>}
      {segment?.trackMembership && (!on || slug !== segment.slug) && <Listeners slug={segment.slug} />}
    </section>
  )
}

/** The workflows that the events of a segment under its stored name start or wake. */
function Listeners({ slug }: { slug: string }) {
  const [entry, exit] = membershipEvents(slug)
  const names = listenersIn([useUsage(entry).data, useUsage(exit).data])
  if (names.length === 0) return null
  return (
    <p className={styles.trackNote} role="status">
      {names.length === 1
        ? "A workflow listens to these events and will hear"
        : "Workflows listen to these events and will hear"}{" "}
      nothing any more: {names.join(", ")}.
    </p>
  )
}

const meaning = (type: SegmentType): string =>
  type === "STATIC"
    ? "An event for everybody who is added or removed from now on, for workflows to start with."
    : "Membership is remembered, and every join and leave is an event that workflows can start with. Contacts are looked at when something happens to them, and all of them every few minutes."

function note(segment: Segment | null, type: SegmentType, slug: string, on: boolean): string | null {
  const isDynamic = type === "DYNAMIC"
  if (on && isDynamic && !segment?.trackMembership) {
    return "It begins empty: within some minutes those who match now join, each with an event."
  }
  if (!on && isDynamic && segment?.trackMembership) {
    return "Saving this forgets who is a member, without events."
  }
  if (on && segment?.trackMembership && slug !== segment.slug) {
    return `The events go by the new name: until now it was ${segment.slug}.`
  }
  return null
}
