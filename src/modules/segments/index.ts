import type { Engine } from "../../engine.ts"
import type { Contacts } from "../contacts/index.ts"
import type { RecordAlike } from "../events/index.ts"
import { type SegmentPorts, segmentActions } from "./actions.ts"
import { audiences } from "./audience.ts"
import { liveContacts } from "./evaluate/live.ts"
import { createTrees } from "./evaluate/trees.ts"
import { segmentReactions } from "./incremental/reactions.ts"
import { reconsideration } from "./incremental/reconsider.ts"
import { createWatch } from "./incremental/watch.ts"
import { memberActions } from "./members/actions.ts"
import { memberMoves } from "./members/moves.ts"
import { previewAction } from "./preview.ts"
import { segmentJobs } from "./recompute/jobs.ts"
import { recomputation } from "./recompute/pass.ts"

export type { SegmentPorts } from "./actions.ts"
export type { Audience, Audiences, ReadCondition, Recipient, WalkedStretch } from "./audience-types.ts"
export { memberRoutes } from "./members/routes.ts"
export { previewRoute } from "./preview-route.ts"
export { segmentRoutes } from "./routes.ts"
export { type Segment, type SegmentType, segmentMemberTable, segmentTable, segmentTypes } from "./table.ts"
export { type SegmentUse, segmentsNamingEvent, segmentsNamingField } from "./uses.ts"

export interface SegmentDeps extends SegmentPorts {
  readonly contacts: Contacts
  readonly recordAlike: RecordAlike
}

/** Segments: who belongs together, by a condition or by a list, and who joins and leaves. */
export function segments(
  engine: Pick<Engine, "store" | "ids" | "clock" | "jobs" | "log" | "config">,
  { contacts, recordAlike, usedByCampaigns }: SegmentDeps,
) {
  const trees = createTrees()
  const watch = createWatch(trees)
  const moves = memberMoves(recordAlike)
  const live = liveContacts(engine, trees)
  const recompute = recomputation({ ...engine, trees, moves })
  const { handlers, recurring, wantForgotten } = segmentJobs({ ...engine, live, trees, recompute })
  const actions = segmentActions({ ...engine, live, trees, watch, recompute, wantForgotten, usedByCampaigns })
  return {
    ...actions,
    preview: previewAction({ ...engine, live, trees }),
    members: memberActions({ ...engine, contacts, moves, renewCount: actions.renewCount }),
    audience: audiences({ ...engine, live, trees }),
    handlers,
    recurring,
    subscribers: segmentReactions(watch, reconsideration(trees, moves)),
    /** Called once, before the first request. */
    open: () => watch.open(engine.store.read),
  }
}

export type Segments = ReturnType<typeof segments>
