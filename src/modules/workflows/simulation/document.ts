import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, named, oneOf, orNull, time } from "../../../http/openapi/describe.ts"
import { executionStatuses, stepExecutionStatuses, stepTypes } from "../table.ts"

const contactState = t.Object({ subscribed: t.Boolean(), data: anyObject() })

const stepSchema = t.Object({
  stepId: t.String(),
  name: t.String(),
  type: oneOf(stepTypes),
  status: oneOf(stepExecutionStatuses),
  branch: about("Null for the plain exit.", orNull(t.String())),
  nextStepId: orNull(t.String()),
  scheduledFor: orNull(time()),
  startedAt: time(),
  completedAt: orNull(time()),
  output: orNull(anyObject()),
  error: orNull(t.String()),
  email: about(
    "The message that would have been sent; `error` tells why it would not.",
    orNull(
      t.Object({
        to: t.String(),
        from: t.String(),
        fromName: orNull(t.String()),
        subject: t.String(),
        html: about("Of the first 50 messages.", orNull(t.String())),
        text: orNull(t.String()),
        error: orNull(t.String()),
      }),
    ),
  ),
  request: about(
    "The request that would have been made, and was answered with 200.",
    orNull(t.Object({ url: t.String(), method: t.String(), headers: anyObject(), body: orNull(t.String()) })),
  ),
  contact: about(
    "What an UPDATE_CONTACT step changed.",
    orNull(t.Object({ before: contactState, after: contactState })),
  ),
})

export const simulationSchema = named(
  "SimulatedExecution",
  t.Object({
    status: about("Where it stands at the end; `WAITING` when a rest does not end.", oneOf(executionStatuses)),
    exitReason: orNull(t.String()),
    error: orNull(t.String()),
    complete: about("False when it took more than two seconds, and was stopped.", t.Boolean()),
    startedAt: time(),
    completedAt: orNull(time()),
    steps: t.Array(stepSchema),
  }),
)

export const simulationExample: Static<typeof simulationSchema> = {
  status: "COMPLETED",
  exitReason: null,
  error: null,
  complete: true,
  startedAt: "2026-01-31T09:15:00.000Z",
  completedAt: "2026-02-01T09:15:00.000Z",
  steps: [
    {
      stepId: "0199c0de-0000-7000-8000-0000000000a3",
      name: "Wait a day",
      type: "DELAY",
      status: "COMPLETED",
      branch: null,
      nextStepId: null,
      scheduledFor: "2026-02-01T09:15:00.000Z",
      startedAt: "2026-01-31T09:15:00.000Z",
      completedAt: "2026-02-01T09:15:00.000Z",
      output: {},
      error: null,
      email: null,
      request: null,
      contact: null,
    },
  ],
}
