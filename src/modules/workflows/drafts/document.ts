import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, id, named, oneOf, orNull, time } from "../../../http/openapi/describe.ts"
import { faultSchema } from "../../../http/openapi/refusals.ts"
import { stepExample, transitionExample } from "../document.ts"
import { stepTypes } from "../table.ts"

const draftFields = {
  version: about("Increases with each change of the draft.", t.Integer()),
  basedOn: about("The version of the live graph that it was made from.", t.Integer()),
  liveVersion: about("The version of the live graph. It must be `basedOn` when the draft is published.", t.Integer()),
  steps: t.Array(
    t.Object({
      id: id(),
      type: oneOf(stepTypes),
      name: t.String(),
      position: t.Object({ x: t.Number(), y: t.Number() }),
      config: anyObject(),
      templateId: orNull(id()),
    }),
  ),
  transitions: t.Array(
    t.Object({ id: id(), fromStepId: id(), toStepId: id(), branch: orNull(t.String()), priority: t.Integer() }),
  ),
  faults: about("Why it cannot be published; the first 1,000.", t.Array(faultSchema)),
  faultCount: t.Integer(),
  createdAt: time(),
  updatedAt: time(),
}

const draftExample = {
  version: 2,
  basedOn: 7,
  liveVersion: 7,
  steps: [
    {
      id: stepExample.id,
      type: stepExample.type,
      name: stepExample.name,
      position: stepExample.position,
      config: { amount: 3, unit: "days" },
      templateId: null,
    },
  ],
  transitions: [
    {
      id: transitionExample.id,
      fromStepId: transitionExample.fromStepId,
      toStepId: transitionExample.toStepId,
      branch: null,
      priority: 0,
    },
  ],
  faults: [],
  faultCount: 0,
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
}

export const savedDraftSchema = named(
  "SavedWorkflowDraft",
  t.Object({ ...draftFields, ids: about("The ids that were sent and are others now.", t.Record(t.String(), id())) }),
)

export const savedDraftExample: Static<typeof savedDraftSchema> = { ...draftExample, ids: {} }

const concerned = { stepId: id(), name: t.String(), people: t.Integer() }

export const draftSchema = named(
  "WorkflowDraft",
  t.Object({
    ...draftFields,
    impact: t.Object({
      people: about("All whom publishing concerns.", t.Integer()),
      sentences: t.Array(t.String()),
      removed: about(
        "Removed steps.",
        t.Array(
          t.Object({
            ...concerned,
            goesTo: about("Where people go on unless `moves` says otherwise; null: their way ends.", orNull(id())),
          }),
        ),
      ),
      delays: about("DELAY steps that change.", t.Array(t.Object({ ...concerned, from: t.String(), to: t.String() }))),
      steps: t.Object({ added: t.Integer(), changed: t.Integer(), removed: t.Integer() }),
    }),
  }),
)

export const shownDraftExample: Static<typeof draftSchema> = {
  ...draftExample,
  impact: {
    people: 40,
    sentences: ['40 people wait on "Wait a day", which changes from 1 day to 3 days.'],
    removed: [],
    delays: [{ stepId: stepExample.id, name: stepExample.name, people: 40, from: "1 day", to: "3 days" }],
    steps: { added: 0, changed: 1, removed: 0 },
  },
}

export const versionsSchema = t.Array(
  named(
    "WorkflowVersion",
    t.Object({
      version: t.Integer(),
      steps: about("How many it has.", t.Integer()),
      live: about("Whether it is the live graph.", t.Boolean()),
      createdAt: about("When it was kept.", time()),
    }),
  ),
)

export const versionsExample: Static<typeof versionsSchema> = [
  { version: 8, steps: 7, live: true, createdAt: "2026-01-31T09:15:00.000Z" },
]
