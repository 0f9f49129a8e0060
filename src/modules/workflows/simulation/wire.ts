import { type Static, Type as t } from "@sinclair/typebox"
import { about, named } from "../../../http/openapi/describe.ts"
import { optional, shape, text, withRules } from "../../../http/schema.ts"
import { day, iso, isoOrNull } from "../../../kernel/clock.ts"
import { parseDuration } from "../../../kernel/duration.ts"
import { canonicalAddress } from "../../../kernel/email-address.ts"
import { type Fault, fault } from "../../../kernel/errors.ts"
import { isObject, type JsonObject } from "../../../kernel/json.ts"
import { dataFaults, unwrapped } from "../../contacts/index.ts"
import { plain } from "../graph.ts"
import type { StepExecution } from "../table.ts"
import { graphFields, graphIn, graphRules } from "../whole/wire.ts"
import type { Simulated, SimulationRequest } from "./actions.ts"
import type { simulationSchema } from "./document.ts"

const mostEvents = 100
const longest = 3_650 * day
const data = () => optional(shape({}))

const laterEvent = shape({
  after: about("How long after the start: numbers with their units s, m, h, d, w, as in 7d or 1h30m.", text()),
  name: text({ min: 1, max: 255 }),
  data: data(),
})

/** The body of `POST /workflows/{id}/simulate` (contract B5.10). */
export const simulationBody = withRules(
  named(
    "WorkflowSimulation",
    shape({
      contactId: about("A contact of the project. Without it one is made up.", optional(text({ form: "id" }))),
      contact: about(
        "The made-up contact.",
        optional(
          shape({ email: optional(text({ form: "address" })), subscribed: optional(t.Boolean()), data: data() }),
        ),
      ),
      event: about("The event that starts it.", optional(shape({ name: optional(text()), data: data() }))),
      events: about("Later events of the contact.", optional(t.Array(laterEvent, { maxItems: mostEvents }))),
      until: about("Where it stops, as `after`. Ten years when left out.", optional(text())),
      graph: about("A graph that is not saved, instead of that of the workflow.", optional(shape(graphFields))),
    }),
    { contact: { data: { plan: "pro" } }, events: [{ after: "2h", name: "purchase", data: { amount: 99 } }] },
  ),
  (sent) => [
    ...durationFaults("until", sent.until),
    ...dataFaultsAt("contact.data", isObject(sent.contact) ? sent.contact.data : undefined),
    ...dataFaultsAt("event.data", isObject(sent.event) ? sent.event.data : undefined),
    ...(Array.isArray(sent.events) ? sent.events.flatMap(eventFaults) : []),
    ...(isObject(sent.graph) ? graphRules(sent.graph).map((each) => ({ ...each, field: `graph.${each.field}` })) : []),
  ],
)

const eventFaults = (sent: unknown, index: number): Fault[] =>
  isObject(sent)
    ? [...durationFaults(`events.${index}.after`, sent.after), ...dataFaultsAt(`events.${index}.data`, sent.data)]
    : []

const dataFaultsAt = (field: string, sent: unknown): Fault[] => dataFaults(sent).map((each) => ({ ...each, field }))

function durationFaults(field: string, sent: unknown): Fault[] {
  if (typeof sent !== "string") return []
  const ms = parseDuration(sent)
  if (ms === undefined) return [fault(field, "invalid_string", `${field} must be a duration such as 7d or 1h30m.`)]
  return ms > longest ? [fault(field, "too_big", `${field} must be at most 3650d.`)] : []
}

export function simulationIn(sent: Static<typeof simulationBody>): SimulationRequest {
  const { contactId, contact, event, events, until, graph } = sent
  return {
    contactId: contactId?.toLowerCase(),
    contact: {
      email: contact?.email ? canonicalAddress(contact.email) : undefined,
      subscribed: contact?.subscribed ?? undefined,
      data: (contact?.data ?? undefined) as JsonObject | undefined,
    },
    context: unwrapped((event?.data ?? {}) as JsonObject),
    events: (events ?? [])
      .map(({ after, name, data }) => ({
        after: parseDuration(after) ?? 0,
        name: name.trim(),
        data: unwrapped((data ?? {}) as JsonObject),
      }))
      .toSorted((a, b) => a.after - b.after),
    until: parseDuration(until ?? "") ?? longest,
    graph: graph ? graphIn(graph) : undefined,
  }
}

type SimulatedStep = Static<typeof simulationSchema>["steps"][number]

export function presentSimulation(simulated: Simulated): Static<typeof simulationSchema> {
  const { execution, steps, fault, isCut } = simulated
  const failed = fault !== null
  return {
    status: failed ? "FAILED" : execution.status,
    exitReason: failed ? "step_failed" : execution.exitReason,
    error: fault,
    complete: !isCut,
    startedAt: iso(execution.startedAt),
    completedAt: isoOrNull(execution.completedAt),
    steps: Array.from(steps.values(), (row) => presentStep(simulated, row)),
  }
}

function presentStep({ graph, effects, mails }: Simulated, row: StepExecution): SimulatedStep {
  const effect = effects.get(row.id)
  const mail = effect?.mail?.email
  return {
    stepId: row.stepId,
    name: row.name,
    type: row.type,
    status: row.status,
    branch: branchOf(row),
    nextStepId:
      row.status === "COMPLETED" ? (graph.nodes.get(row.stepId)?.exits.get(exitOf(graph, row)) ?? null) : null,
    scheduledFor: isoOrNull(row.scheduledFor),
    startedAt: iso(row.startedAt),
    completedAt: isoOrNull(row.completedAt),
    output: row.output,
    error: row.error,
    email: mail
      ? {
          to: mail.to,
          from: mail.from,
          fromName: mail.fromName,
          subject: mail.subject,
          error: mail.error,
          ...(mails.get(row.id) ?? { html: null, text: null }),
        }
      : null,
    request: effect?.request
      ? {
          url: effect.request.url,
          method: effect.request.method,
          headers: { ...effect.request.headers },
          body: effect.request.body ?? null,
        }
      : null,
    contact: effect?.contact
      ? { before: contactOf(effect.contact.before), after: contactOf(effect.contact.after) }
      : null,
  }
}

const contactOf = ({ subscribed, data }: { subscribed: boolean; data: JsonObject }) => ({ subscribed, data })

/** Null for the plain exit. */
function branchOf({ output }: StepExecution): string | null {
  if (typeof output?.branch === "string") return output.branch
  return output?.timedOut === true ? "timeout" : null
}

/** The exit that a step was left by: a wait without an exit for its end by time is left by the plain one. */
function exitOf({ nodes }: Simulated["graph"], row: StepExecution): string {
  const branch = branchOf(row)
  if (branch === null) return plain
  return branch === "timeout" && !nodes.get(row.stepId)?.exits.has(branch) ? plain : branch
}
