import { Elysia, t } from "elysia"
import type { Door } from "../../http/door.ts"
import { about, answers, byPublicKey, id, idempotencyKey, named, time, wrapped } from "../../http/openapi/describe.ts"
import { optional, shape, text, textFault, withRules } from "../../http/schema.ts"
import { iso } from "../../kernel/clock.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { eventDataFaults } from "../contacts/index.ts"
import type { Events } from "./index.ts"
import { isReservedName } from "./reserved.ts"

const maxName = 255

const trackBody = withRules(
  named(
    "TrackRequest",
    shape({
      email: text({ form: "address" }),
      event: about("1 to 255 characters; names of the service, such as `email.sent`, are refused.", t.String()),
      subscribed: about("Left out: new contacts are subscribed, known ones stay as they are.", optional(t.Boolean())),
      data: about("Kept with the event, and as custom fields of the contact.", optional(shape({}))),
    }),
    { email: "ada@example.com", event: "signed_up", data: { plan: "pro" } },
  ),
  ({ event, data }) => [...(typeof event === "string" ? nameFaults(event) : []), ...eventDataFaults(data)],
)

function nameFaults(given: string): Fault[] {
  const name = given.trim()
  const wrong = textFault({ min: 1, max: maxName }, name)
  if (wrong) return [fault("event", wrong.code, `event ${wrong.message}.`)]
  if (!isReservedName(name)) return []
  return [fault("event", "reserved_event", `The event name ${name} is reserved for the service.`, given)]
}

const trackAnswer = answers(
  200,
  wrapped(
    named(
      "TrackResult",
      t.Object({ contact: about("The contact's id.", id()), event: about("The event's id.", id()), timestamp: time() }),
    ),
  ),
  {
    success: true,
    data: {
      contact: "0199c0de-0000-7000-8000-00000000000a",
      event: "0199c0de-0000-7000-8000-00000000000b",
      timestamp: "2026-01-31T09:15:00.000Z",
    },
  },
)

export const trackRoute = (events: Events, door: Door) =>
  new Elysia().use(door({ accept: "public", idempotent: true })).post(
    "/v1/track",
    async ({ project, keep, body }) => {
      const { contactId, eventId, at } = await events.track(
        project.id,
        {
          email: parseAddress(body.email) ?? "",
          event: body.event.trim(),
          subscribed: body.subscribed ?? undefined,
          data: (body.data as JsonObject | null | undefined) ?? undefined,
        },
        keep,
      )
      return { success: true, data: { contact: contactId, event: eventId, timestamp: iso(at) } }
    },
    {
      body: trackBody,
      detail: {
        operationId: "trackEvent",
        tags: ["Public API"],
        summary: "Track an event for a contact",
        description:
          "Creates or updates the contact, then records the event. Events start workflows and feed segments.",
        security: byPublicKey,
        parameters: idempotencyKey,
        responses: trackAnswer,
      },
    },
  )
