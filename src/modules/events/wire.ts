import { type Static, type TSchema, Type as t } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { about, anyObject, named } from "../../http/openapi/describe.ts"
import { decodeCursor, encodeCursor, type Query } from "../../http/page.ts"
import { isGiven, optional, requiredFault, shape, text, withRules } from "../../http/schema.ts"
import { faultsOf } from "../../http/validation.ts"
import { iso } from "../../kernel/clock.ts"
import type { Fault } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { eventDataFaults } from "../contacts/index.ts"
import type { PlainEvent } from "./actions.ts"
import type { eventSchema, usageSchema } from "./document.ts"
import type { EventUsage } from "./names.ts"
import type { EventPosition, Recorded } from "./store.ts"
import { nameFaults, trackBody } from "./track-wire.ts"

/** A plain event, which creates or changes no contact (contract B4.2.2). */
const plainBody = withRules(
  shape({
    name: t.String(),
    contactId: optional(text({ form: "id" })),
    emailId: optional(text({ form: "id" })),
    data: optional(shape({})),
  }),
  ({ name, data }) => [...nameFaults("name", name), ...eventDataFaults(data)],
)

/** Whether a body is of the form of `POST /v1/track`: `event` wins over `name`. */
export const tracks = (body: object): body is Static<typeof trackBody> => "event" in body && isGiven(body.event)

function faultsIn(sent: Record<string, unknown>): Fault[] {
  if (!tracks(sent) && !isGiven(sent.name)) return [requiredFault("event")]
  const form: TSchema = tracks(sent) ? trackBody : plainBody
  return faultsOf(Value.Errors(form, sent), false)
}

/** A field of either form. Its valid values depend on the form, so the rules check it. */
const field = (description: string, schema: object) => about(description, optional(t.Any(schema)))
const textField = (description: string) => field(description, { type: "string" })
const idField = (description: string) => field(description, { type: "string", format: "uuid" })

/** The body of `POST /events/track` (contract B4.2.1 and 2). */
export const eventBody = withRules(
  named(
    "EventRequest",
    shape({
      event: textField("As in `POST /v1/track`; with it `name` is not looked at. One of the two is required."),
      email: field("Required with `event`.", { type: "string", format: "email" }),
      subscribed: field("With `event`.", { type: "boolean" }),
      name: textField("Without `event`: 1 to 255 characters; names of the service are refused."),
      contactId: idField("With `name`. The contact stays as it is."),
      emailId: idField("With `name`: the message that the event is about."),
      data: field("Kept with the event; with `event` as custom fields of the contact too.", anyObject()),
    }),
    { name: "purchase", contactId: "0199c0de-0000-7000-8000-00000000000a", data: { amount: 99 } },
  ),
  faultsIn,
)

/** The event in a body of the other form, already checked by the schema. */
export function plainEventIn(body: object): PlainEvent {
  const { name, contactId, emailId, data } = body as Static<typeof plainBody>
  return {
    name: name.trim(),
    contactId: contactId ? parseId(contactId) : undefined,
    emailId: emailId ? parseId(emailId) : undefined,
    data: (data as JsonObject | null | undefined) ?? undefined,
  }
}

/** @throws {DomainError} 400 for a cursor of another list */
export function positionIn(order: string, query: Query): EventPosition | undefined {
  const place = decodeCursor(order, query.cursor, { key: "number" })
  return place && { createdAt: place.key, id: place.id }
}

export const cursorAt = (order: string, { event }: Recorded): string =>
  encodeCursor(order, { key: event.createdAt, id: event.id })

export const presentEvent = ({ event, email }: Recorded): Static<typeof eventSchema> => ({
  id: event.id,
  name: event.name,
  data: event.data,
  projectId: event.projectId,
  contactId: event.contactId,
  emailId: event.emailId,
  createdAt: iso(event.createdAt),
  contact: event.contactId === null || email === null ? null : { id: event.contactId, email },
})

export const presentUsage = ({ segments, workflows, ...counts }: EventUsage): Static<typeof usageSchema> => ({
  usedInSegments: segments.map(({ id, name }) => ({ id, name })),
  usedInWorkflows: workflows.map(({ id, name }) => ({ id, name })),
  ...counts,
})
