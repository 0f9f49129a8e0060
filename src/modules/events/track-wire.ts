import { type Static, Type as t } from "@sinclair/typebox"
import { about, answers, id, named, time, wrapped } from "../../http/openapi/describe.ts"
import { optional, shape, text, textFault, withRules } from "../../http/schema.ts"
import { iso } from "../../kernel/clock.ts"
import { canonicalAddress } from "../../kernel/email-address.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { eventDataFaults } from "../contacts/index.ts"
import type { Tracked, TrackRequest } from "./actions.ts"
import { isReservedName } from "./reserved.ts"

const maxName = 255

/** A dot-segment (RFC 3986, 3.3): a URL cannot have it in its path, so such a name could not be looked up. */
const dotSegment = /^\.\.?$/

/** The faults of an event name in a request (contract A4.1). */
export function nameFaults(field: string, given: unknown): Fault[] {
  if (typeof given !== "string") return []
  const name = given.trim()
  const wrong = textFault({ min: 1, max: maxName }, name)
  if (wrong) return [fault(field, wrong.code, `${field} ${wrong.message}.`)]
  if (dotSegment.test(name)) return [fault(field, "invalid_string", `${field} must not be . or ..`, name)]
  if (!isReservedName(name)) return []
  return [fault(field, "reserved_event", `The event name ${name} is reserved for the service.`, name)]
}

/** The body of `POST /v1/track`. */
export const trackBody = withRules(
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
  ({ event, data }) => [...nameFaults("event", event), ...eventDataFaults(data)],
)

export const trackRequestIn = ({ email, event, subscribed, data }: Static<typeof trackBody>): TrackRequest => ({
  email: canonicalAddress(email),
  event: event.trim(),
  subscribed: subscribed ?? undefined,
  data: (data as JsonObject | null | undefined) ?? undefined,
})

const trackedSchema = wrapped(
  named(
    "TrackResult",
    t.Object({ contact: about("The contact's id.", id()), event: about("The event's id.", id()), timestamp: time() }),
  ),
)

export const presentTracked = ({ contactId, eventId, at }: Tracked): Static<typeof trackedSchema> => ({
  success: true,
  data: { contact: contactId, event: eventId, timestamp: iso(at) },
})

export const trackAnswer = answers(200, trackedSchema, {
  success: true,
  data: {
    contact: "0199c0de-0000-7000-8000-00000000000a",
    event: "0199c0de-0000-7000-8000-00000000000b",
    timestamp: "2026-01-31T09:15:00.000Z",
  },
})
