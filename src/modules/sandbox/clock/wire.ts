import { type Static, Type as t } from "@sinclair/typebox"
import { about, id, named, oneOf, orNull, time } from "../../../http/openapi/describe.ts"
import { instantIn } from "../../../http/period.ts"
import { optional, shape, text, withRules } from "../../../http/schema.ts"
import { day, iso } from "../../../kernel/clock.ts"
import { parseDuration } from "../../../kernel/duration.ts"
import { fault, invalid } from "../../../kernel/errors.ts"
import type { ClockState, ClockTurn } from "./actions.ts"
import { mostListed, type ReportEntry } from "./report.ts"

/** The furthest that one request turns the clock. */
const furthestMs = 400 * day

/** How the clock is turned (contract A8.3.8). */
export const clockBody = named(
  "ClockTurnRequest",
  withRules(
    shape({
      advance: optional(about("How far: numbers with their units ms, s, m, h, d, w, as in 7d or 1h30m.", text())),
      to: optional(about("The time, in UTC when it names no zone; not before the present one.", text())),
    }),
    ({ advance, to }) =>
      ((advance ?? null) === null) === ((to ?? null) === null)
        ? [fault("advance", "custom", "Send either advance or to.")]
        : [],
  ),
  { advance: "7d" },
)

/** The time to which a request turns a clock that stands at `now`. @throws {DomainError} 422 */
export function timeWanted({ advance, to }: { advance?: string | null; to?: string | null }, now: number): number {
  const isSpan = typeof advance === "string"
  const field = isSpan ? "advance" : "to"
  const at = isSpan ? now + (parseDuration(advance) ?? Number.NaN) : (instantIn((to ?? "").trim())?.at ?? Number.NaN)
  if (Number.isNaN(at)) {
    const wanted = isSpan ? "a span such as 7d or 1h30m" : "a time such as 2026-01-31T09:15:00Z"
    throw invalid([fault(field, "invalid_string", `${field} must be ${wanted}.`)])
  }
  if (at < now) throw invalid([fault(field, "too_small", `The clock already stands at ${iso(now)}.`)])
  if (at - now > furthestMs) throw invalid([fault(field, "too_big", "One request turns the clock 400 days at most.")])
  return at
}

const state = {
  manual: about("Whether the clock stands still until it is turned.", t.Boolean()),
  now: time(),
}

export const clockSchema = named("Clock", t.Object(state))

const counts = (description: string) => about(description, t.Record(t.String(), t.Integer()))

const which = { executionId: id(), workflowId: id(), contactId: id() }

const reportEntry = t.Union([
  t.Object({
    at: time(),
    what: t.Literal("email"),
    id: id(),
    to: t.String(),
    subject: t.String(),
    campaignId: orNull(id()),
  }),
  t.Object({ at: time(), what: t.Literal("event"), id: id(), name: t.String(), contactId: orNull(id()) }),
  t.Object({ at: time(), what: t.Literal("step"), ...which, name: t.String(), type: t.String() }),
  t.Object({
    at: time(),
    what: t.Literal("execution"),
    ...which,
    status: oneOf(["COMPLETED", "EXITED", "FAILED", "CANCELLED"]),
    exitReason: orNull(t.String()),
  }),
  t.Object({
    at: time(),
    what: t.Literal("job"),
    kind: t.String(),
    outcome: oneOf(["done", "retry", "snooze", "cancel"]),
    ids: about("What it was about: campaignId, for example.", t.Record(t.String(), t.String())),
  }),
])

export const clockTurnSchema = named(
  "ClockTurn",
  t.Object({
    ...state,
    from: about("Where the clock stood before.", time()),
    complete: about("False: it stopped on the way, because this took too long. Send the same time again.", t.Boolean()),
    emails: about("How many mails of the project were sent.", t.Integer()),
    events: counts("How many events of each name were recorded in the project."),
    steps: about("How many steps of the project's workflows were started.", t.Integer()),
    jobs: counts("How often each kind of job ran, in all projects."),
    happened: about(`What happened in the project, in order, ${mostListed} things at most.`, t.Array(reportEntry)),
    omitted: about("How many more things happened.", t.Integer()),
  }),
)

export const clockExample: Static<typeof clockSchema> = { manual: true, now: "2026-02-03T08:00:00.000Z" }

export const clockTurnExample: Static<typeof clockTurnSchema> = {
  ...clockExample,
  from: "2026-01-31T09:15:00.000Z",
  complete: true,
  emails: 1,
  events: { "email.sent": 1, "email.delivery": 1 },
  steps: 0,
  jobs: { "campaign.begin": 1, "campaign.walk": 1 },
  happened: [
    {
      at: "2026-02-03T08:00:00.000Z",
      what: "email",
      id: "0199c0de-0000-7000-8000-00000000000a",
      to: "ada@example.com",
      subject: "News",
      campaignId: "0199c0de-0000-7000-8000-00000000000b",
    },
  ],
  omitted: 0,
}

export const presentClock = ({ manual, now }: ClockState): Static<typeof clockSchema> => ({ manual, now: iso(now) })

export const presentTurn = ({ from, now, happened, ...turn }: ClockTurn) => ({
  ...turn,
  from: iso(from),
  now: iso(now),
  happened: happened.map((one: ReportEntry) => ({ ...one, at: iso(one.at) })),
})
