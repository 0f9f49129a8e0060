import { expect } from "bun:test"
import { eq } from "drizzle-orm"
import type { ConditionJson } from "../../src/conditions/index.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { segmentMemberTable } from "../../src/modules/segments/index.ts"
import type { ApiAnswer } from "./api.ts"
import type { TestApp } from "./app.ts"

type Filter = ConditionJson["groups"][number]["filters"][number]

/** A condition whose filters must all hold. */
export const all = (...filters: Filter[]): ConditionJson => ({ logic: "AND", groups: [{ filters }] })

export const field = (name: string, operator: string, value?: Filter["value"], unit?: string): Filter => ({
  field: name,
  operator,
  ...(value === undefined ? {} : { value }),
  ...(unit === undefined ? {} : { unit }),
})

export const onPlan = (plan: string): ConditionJson => all(field("data.plan", "equals", plan))
export const inSegment = (id: string): Filter => field(`segment.${id}`, "memberOfSegment")

/** Creates a segment; resolves to it as shown to clients. */
export async function addSegment(it: TestApp, body: object): Promise<ApiAnswer["body"]> {
  const answer = await it.api("POST /segments", { body })
  expect([answer.status, answer.body.error]).toEqual([201, undefined])
  return answer.body
}

export const tracked = (it: TestApp, name: string, condition: ConditionJson) =>
  addSegment(it, { name, condition, trackMembership: true })

/** Tracks an event of a contact, which is created if needed. */
export async function track(it: TestApp, email: string, data: object = {}, event = "seen"): Promise<string> {
  const { body } = await it.api("POST /v1/track", { body: { email, event, data } })
  return body.data.contact
}

/** The events of a segment with their addresses, oldest first. */
export async function movesOf(it: TestApp, id: string): Promise<string[]> {
  const events = await it.app.store.read.select().from(eventTable).orderBy(eventTable.id)
  const contacts = new Map<string, string>()
  const moves: string[] = []
  for (const { name, storedData: data, contactId } of events) {
    if (data.segmentId !== id || contactId === null) continue
    const email = contacts.get(contactId) ?? (await it.api(`GET /contacts/${contactId}`)).body.email
    contacts.set(contactId, email)
    moves.push(`${name.split(".").at(-1)} ${email?.split("@")[0]}`)
  }
  return moves
}

/** The addresses of the contacts in a segment, in list order. */
export async function contactsOf(it: TestApp, id: string, query = ""): Promise<string[]> {
  const { body } = await it.api(`GET /segments/${id}/contacts${query}`)
  return body.data.map(({ email }: { email: string }) => email.split("@")[0])
}

/** The number of recorded members of a segment. */
export const recordedIn = ({ app }: TestApp, id: string): Promise<number> =>
  app.store.read.$count(segmentMemberTable, eq(segmentMemberTable.segmentId, id))
