import type { Static } from "@sinclair/typebox"
import { decodeCursor, encodeCursor, given, type Query } from "../../http/page.ts"
import { periodIn } from "../../http/period.ts"
import { iso } from "../../kernel/clock.ts"
import { parseId } from "../../kernel/ids.ts"
import type { activitySchema } from "./document.ts"
import type { Activity, ActivityFilter, FeedPosition } from "./feed.ts"
import { activityTypes } from "./sources.ts"

/** Unknown types are ignored; a list without a known one matches nothing (contract B7.1.0). */
export function filterIn(query: Query): ActivityFilter {
  const types = given(query.types)
    ?.split(",")
    .map((type) => type.trim())
  return { types, contactId: given(query.contactId)?.toLowerCase(), period: periodIn(query) }
}

const order = "activity"

export const cursorOf = ({ type, id, at, from }: FeedPosition): string =>
  encodeCursor(order, { key: at, id: `${from} ${type} ${id}` })

/** @throws {DomainError} 400 for a cursor that `cursorOf` has not made (contract A1.4.2) */
export function positionIn({ cursor }: Query): FeedPosition | undefined {
  const place = decodeCursor(order, cursor, { key: "number", isId: isPlace })
  if (place === undefined) return undefined
  const [from, type = "", id = ""] = place.id.split(" ")
  return { at: place.key, type, id, from: Number(from) }
}

function isPlace(text: string): boolean {
  const [from = "", type = "", id = "", ...rest] = text.split(" ")
  return /^-?\d{1,16}$/.test(from) && activityTypes.includes(type) && parseId(id) === id && rest.length === 0
}

export const presentActivity = ({
  id,
  type,
  at,
  contactId,
  contactEmail,
  metadata,
}: Activity): Static<typeof activitySchema> => ({
  id,
  type,
  timestamp: iso(at),
  contactId,
  contactEmail,
  metadata,
})

/** Any whole number is clamped to the range; anything else gives the default (contract B7.1.7). */
export const minutesIn = ({ minutes = "" }: Query): number =>
  /^-?\d+$/.test(minutes) ? Math.min(Math.max(Number(minutes), 1), 60) : 5
