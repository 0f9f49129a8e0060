import { iso } from "../../kernel/clock.ts"
import { domainOf } from "../../kernel/email-address.ts"
import { nilId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { StoredEvent } from "./table.ts"

/** An event with all of its data. */
export type Event = Omit<StoredEvent, "storedData"> & { readonly data: JsonObject }

/** The events about a message with the data of contract B4.4, and the member that is usually the time of the event. */
const timeNames: ReadonlyMap<string, string | null> = new Map([
  ["email.sent", "sentAt"],
  ["email.delivery", "deliveredAt"],
  ["email.open", "openedAt"],
  ["email.click", "clickedAt"],
  ["email.bounce", null],
  ["email.complaint", "complainedAt"],
])

type About = Pick<StoredEvent, "name" | "emailId" | "createdAt">

/**
 * The usual data of an event about a message, derived from its row and from members that are stored unless they are
 * null; undefined for any other event. Only differences from this are stored, because half of the bytes of such an
 * event would repeat its row.
 */
function usualData({ name, emailId, createdAt }: About, { from, campaignId }: JsonObject): JsonObject | undefined {
  const timeName = timeNames.get(name)
  if (emailId === null || timeName === undefined || typeof from !== "string") return undefined
  return {
    fromName: null,
    messageId: `${emailId}@${domainOf(from)}`,
    emailId,
    templateId: null,
    campaignId: null,
    sourceType: typeof campaignId === "string" ? "CAMPAIGN" : "TRANSACTIONAL",
    ...(timeName === null ? {} : { [timeName]: iso(createdAt) }),
  }
}

/** The stored form of an event's data. */
export function dataToStore(event: About, data: JsonObject): JsonObject {
  const usual = usualData(event, data)
  if (usual === undefined || !Object.keys(usual).every((name) => name in data)) return data
  return Object.fromEntries(Object.entries(data).filter(([name, value]) => usual[name] !== value))
}

/** The data of a stored event, those of contract B4.4 in its order. */
export function dataOf(event: About & Pick<StoredEvent, "storedData">): JsonObject {
  const { storedData } = event
  const usual = usualData(event, storedData)
  const { subject, from } = storedData
  return usual === undefined || subject === undefined || from === undefined
    ? storedData
    : { subject, from, ...usual, ...storedData }
}

export const wholeEvent = ({ storedData, ...row }: StoredEvent): Event => ({
  ...row,
  data: dataOf({ ...row, storedData }),
})

/** The members that may be missing in the stored data of events of a name. */
export const usualKeysOf = (name: string): string[] =>
  Object.keys(usualData({ name, emailId: nilId, createdAt: 0 }, { from: "" }) ?? {})
