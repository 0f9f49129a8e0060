import { Elysia, t } from "elysia"
import type { Door } from "../../http/door.ts"
import { optional, text, textFault, withRules } from "../../http/schema.ts"
import { iso } from "../../kernel/clock.ts"
import { parseAddress } from "../../kernel/email-address.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Events } from "./index.ts"
import { isReservedName } from "./reserved.ts"

const maxName = 255

const trackBody = withRules(
  t.Object({
    email: text({ form: "address" }),
    event: t.String(),
    subscribed: optional(t.Boolean()),
    data: optional(t.Object({}, { additionalProperties: true })),
  }),
  ({ event }) => (typeof event === "string" ? nameFaults(event) : []),
)

function nameFaults(given: string): Fault[] {
  const name = given.trim()
  const wrong = textFault({ min: 1, max: maxName }, name)
  if (wrong) return [fault("event", wrong.code, `event ${wrong.message}.`)]
  if (!isReservedName(name)) return []
  return [fault("event", "reserved_event", `The event name ${name} is reserved for the service.`, given)]
}

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
    { body: trackBody, detail: { tags: ["Public API"], summary: "Track an event for a contact" } },
  )
