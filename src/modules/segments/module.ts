import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Protect } from "../../http/protect.ts"
import type { Module } from "../../module.ts"
import type { Contacts } from "../contacts/index.ts"
import type { RecordMany } from "../events/index.ts"
import { createSegmentActions } from "./actions.ts"
import { createAudiences } from "./audiences.ts"
import { createCounting } from "./counting.ts"
import { createLiveContacts } from "./evaluate/live.ts"
import { createTrees } from "./evaluate/trees.ts"
import { createReevaluate } from "./incremental/reevaluate.ts"
import { segmentSubscribers } from "./incremental/subscribers.ts"
import { createTriggerIndex } from "./incremental/trigger-index.ts"
import { createMemberActions } from "./members/actions.ts"
import { createMembership } from "./members/membership.ts"
import { memberRoutes } from "./members/routes.ts"
import { createPreview } from "./preview.ts"
import { previewRoutes } from "./preview-routes.ts"
import { createSegmentJobs } from "./recompute/jobs.ts"
import { createRecompute } from "./recompute/recompute.ts"
import { segmentReferences } from "./references.ts"
import { segmentRoutes } from "./routes.ts"
import { deleteSegments } from "./store.ts"

interface SegmentDeps {
  readonly contacts: Contacts
  readonly events: RecordMany
}

/** Segments: groups of contacts by a condition or a list, and the record of who joins and leaves them. */
export function createSegments(
  engine: Pick<Engine, "store" | "ids" | "clock" | "jobs" | "log" | "config" | "references">,
  { contacts, events }: SegmentDeps,
) {
  const trees = createTrees()
  const triggers = createTriggerIndex(trees)
  const membership = createMembership(events)
  const live = createLiveContacts(engine, trees)
  const recompute = createRecompute({ ...engine, trees, membership, triggers })
  const deps = { ...engine, live, trees, recompute, storeCount: createCounting(engine) }
  const { handlers, recurring, computeTimed, schedulePurge } = createSegmentJobs(deps)
  const own = createSegmentActions({ ...deps, triggers, schedulePurge })
  const actions = {
    ...own,
    preview: createPreview({ ...engine, live, trees }),
    members: createMemberActions({ ...engine, contacts, membership, renewCount: own.renewCount }),
    audiences: createAudiences({ ...engine, live, trees, computeTimed }),
  }
  return {
    name: "segments",
    actions,
    routes: (protect: Protect) =>
      new Elysia()
        .use(segmentRoutes(actions, protect))
        .use(previewRoutes(actions.preview, protect))
        .use(memberRoutes(actions.members, protect)),
    handlers,
    recurring,
    subscribers: segmentSubscribers(triggers, createReevaluate(trees, membership), engine.log),
    references: segmentReferences,
    async erase(unit, projectId): Promise<void> {
      await deleteSegments(unit, projectId)
      triggers.erase(unit, projectId)
    },
    open: () => triggers.open(engine.store.read),
  } satisfies Module
}
