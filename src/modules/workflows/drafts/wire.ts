import { Type as t } from "@sinclair/typebox"
import { about, named } from "../../../http/openapi/describe.ts"
import { optional, shape, text, withRules } from "../../../http/schema.ts"
import { iso } from "../../../kernel/clock.ts"
import { parseId } from "../../../kernel/ids.ts"
import { plain } from "../graph.ts"
import { graphExample, graphFields, graphRules } from "../whole/wire.ts"
import type { DraftWithFaults } from "./actions.ts"
import { exit, type WantedMoves } from "./plan.ts"

const draftVersion = () =>
  about("That of the draft as it was read; left out when there was none.", optional(t.Integer()))

/** The body of `PUT /workflows/{id}/draft` (contract B5.2.18). */
export const newDraftBody = withRules(
  named(
    "WorkflowDraftRequest",
    shape({
      ...graphFields,
      version: draftVersion(),
      basedOn: about("The version of the live graph that it is made from; left out, it stays.", optional(t.Integer())),
    }),
    { ...graphExample, version: 1 },
  ),
  graphRules,
)

/** The body of `POST /workflows/{id}/publish` (contract B5.2.20). */
export const publishBody = named(
  "WorkflowPublication",
  shape({
    version: about("That of the draft as it was read.", t.Integer()),
    moves: about(
      "Where contacts go on from steps that go: the id of a step, or EXIT.",
      optional(t.Record(t.String(), text())),
    ),
  }),
  {
    version: 2,
    moves: { "0199c0de-0000-7000-8000-0000000000a5": "EXIT" },
  },
)

/** The body of `POST /workflows/{id}/versions/{version}/restore` (contract B5.2.23). */
export const restoreBody = named("WorkflowRestoration", shape({ version: draftVersion() }), {})

export const movesIn = (sent: Readonly<Record<string, string>> | null | undefined): WantedMoves =>
  Object.fromEntries(
    Object.entries(sent ?? {}).map(([from, to]) => [parseId(from) ?? from, to === exit ? exit : (parseId(to) ?? to)]),
  )

export const presentDraft = ({ draft, liveVersion, faults }: DraftWithFaults) => ({
  version: draft.revision,
  basedOn: draft.basedOn,
  liveVersion,
  steps: draft.graph.steps.map((step) => ({ ...step })),
  transitions: draft.graph.transitions.map(({ branch, ...one }) => ({
    ...one,
    branch: branch === plain ? null : branch,
  })),
  faults: faults.map((one) => ({ ...one })),
  faultCount: faults.length,
  createdAt: iso(draft.createdAt),
  updatedAt: iso(draft.updatedAt),
})
