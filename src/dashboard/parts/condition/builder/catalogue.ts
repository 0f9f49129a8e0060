import {
  type Icon,
  IconBolt,
  IconCalendar,
  IconMail,
  IconMailOpened,
  IconQuestionMark,
  IconUsersGroup,
} from "@tabler/icons-react"
import { useMemo } from "react"
import type { Field } from "../../../api/contacts.ts"
import type { Segment } from "../../../api/segments.ts"
import { useFields } from "../../../queries/contacts.ts"
import { useEventNames, useSegments } from "../../../queries/segments.ts"
import { kinds } from "../../data/kinds.ts"
import { activities, fieldRef } from "../model/fields.ts"
import type { DataType } from "../model/operators.ts"

/** A field in the builder. */
export interface Choice {
  readonly field: string
  readonly label: string
  readonly icon: Icon
  /** Whether it exists; another one may have been deleted, or have yet to come. */
  readonly isKnown: boolean
}

export interface ChoiceGroup {
  readonly name: string
  readonly choices: readonly Choice[]
}

/** The fields that conditions of this project can use. */
export interface Catalogue {
  readonly groups: readonly ChoiceGroup[]
  /** Any field, also one that no group lists; null for `""`. */
  choiceOf(field: string): Choice | null
  typeOf(field: string): DataType
  /** Null when there is no such segment. */
  segmentName(id: string): string | null
  readonly isReady: boolean
  /** The possible meanings of a text that matches no choice. */
  guessesOf(text: string): readonly Choice[]
}

const activityLabels: Readonly<Record<string, string>> = {
  sent: "Was sent an email",
  delivered: "Received an email",
  opened: "Opened an email",
  clicked: "Clicked in an email",
  bounced: "Had an email bounce",
  complained: "Complained about an email",
}

/** The fields that every contact has. */
export const coreChoices: readonly Choice[] = [
  { field: "email", label: "Email address", icon: IconMail, isKnown: true },
  { field: "subscribed", label: "Subscribed", icon: kinds.boolean.icon, isKnown: true },
  { field: "createdAt", label: "Created", icon: IconCalendar, isKnown: true },
  { field: "updatedAt", label: "Last changed", icon: IconCalendar, isKnown: true },
]

const mail: readonly Choice[] = activities.map((activity) => ({
  field: `email.${activity}`,
  label: activityLabels[activity] ?? activity,
  icon: IconMailOpened,
  isKnown: true,
}))

/** `ownId` is the edited segment, which cannot refer to itself. */
export function useCatalogue(ownId?: string): Catalogue {
  const fields = useFields().data
  const events = useEventNames().data
  const segments = useSegments().data
  return useMemo(() => catalogueOf(fields, events, segments, ownId), [fields, events, segments, ownId])
}

function catalogueOf(
  fields: readonly Field[] = [],
  events: readonly string[] = [],
  segments: readonly Segment[] | undefined,
  ownId?: string,
): Catalogue {
  // a key with dots cannot be used, because a dot separates keys (contract B2.2.9)
  const custom = fields.filter(({ field, isCustom }) => isCustom && field.indexOf(".") === field.lastIndexOf("."))
  const types = new Map(fields.map(({ field, type }) => [field, type]))
  const names = new Map(segments?.map(({ id, name }) => [id, name]))
  const groups: readonly ChoiceGroup[] = [
    { name: "Contact", choices: coreChoices },
    {
      name: "Custom fields",
      choices: custom.map(({ field, type }) => ({
        field,
        label: field.slice("data.".length),
        icon: kinds[type].icon,
        isKnown: true,
      })),
    },
    {
      name: "Events",
      choices: events.map((name) => ({ field: `event.${name}`, label: name, icon: IconBolt, isKnown: true })),
    },
    { name: "Mail", choices: mail },
    {
      name: "Segments",
      choices: (segments ?? [])
        .filter(({ id }) => id !== ownId)
        .map(({ id, name }) => ({ field: `segment.${id}`, label: name, icon: IconUsersGroup, isKnown: true })),
    },
  ]
  const known = new Map(groups.flatMap(({ choices }) => choices.map((choice) => [choice.field, choice] as const)))
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    choiceOf: (field) => known.get(field) ?? unlisted(field, segments === undefined),
    typeOf: (field) => types.get(field),
    segmentName: (id) => names.get(id) ?? null,
    isReady: segments !== undefined,
    guessesOf: (text) => guessesOf(text, groups),
  }
}

function unlisted(field: string, early: boolean): Choice | null {
  if (field === "") return null
  const ref = fieldRef(field)
  switch (ref?.kind) {
    case "data":
      return { field, label: ref.name, icon: kinds.string.icon, isKnown: true }
    case "event":
      return { field, label: ref.name, icon: IconBolt, isKnown: true }
    case "activity":
      return { field, label: activityLabels[ref.name] ?? ref.name, icon: IconMailOpened, isKnown: true }
    case "segment":
      return { field, label: early ? "…" : "Deleted segment", icon: IconUsersGroup, isKnown: early }
    default:
      return { field, label: field, icon: IconQuestionMark, isKnown: false }
  }
}

/**
 * The possible meanings of a text that matches no choice: a field inside another, or an event that has not occurred
 * yet.
 */
function guessesOf(text: string, groups: readonly ChoiceGroup[]): readonly Choice[] {
  const name = text.trim()
  if (name === "") return []
  const listed = new Set(groups.flatMap(({ choices }) => choices.map(({ field }) => field)))
  const guesses: readonly Choice[] = [
    { field: `data.${name}`, label: `Custom field “${name}”`, icon: kinds.string.icon, isKnown: false },
    { field: `event.${name}`, label: `Event “${name}”`, icon: IconBolt, isKnown: false },
  ]
  return guesses.filter(({ field }) => fieldRef(field) !== null && !listed.has(field))
}
