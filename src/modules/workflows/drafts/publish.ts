import type { Engine } from "../../../engine.ts"
import { conflict, invalid } from "../../../kernel/errors.ts"
import { getWorkflow, readWhole, type WholeWorkflow } from "../actions.ts"
import type { Listeners } from "../engine/listeners.ts"
import { readGraph } from "../store.ts"
import { adopt } from "../whole/adopt.ts"
import { diffOf, documentOf, isEmpty } from "../whole/diff.ts"
import { graphFaults } from "../whole/faults.ts"
import { saveDiff } from "../whole/save.ts"
import { getDraft, requireDraftVersion } from "./draft.ts"
import type { Moves } from "./moves.ts"
import { moveFaults, planOf, type WantedMoves, withUnfinished } from "./plan.ts"
import { clearDraft, findUnfinished, keepVersion } from "./store.ts"

export interface PublishEngine extends Pick<Engine, "store" | "ids"> {
  readonly listeners: Pick<Listeners, "add">
  readonly moves: Pick<Moves, "begin" | "finishLater">
  /** Reports that executions are due. */
  readonly wake: () => void
}

/**
 * Makes the draft the live graph in one unit, also while contacts are in the workflow (contract B5.11.4 to B5.11.6). Throws
 * 422 for faults, and 409 when the draft or the live graph is another than the caller has seen.
 */
export const createPublish =
  ({ store, ids, listeners, moves, wake }: PublishEngine) =>
  async (projectId: string, workflowId: string, version: number, wanted: WantedMoves): Promise<WholeWorkflow> => {
    await getWorkflow(store.read, projectId, workflowId)
    const checked = await getDraft(store.read, workflowId)
    const faults = await graphFaults(checked.graph)
    return store.write(projectId, async (unit) => {
      const workflow = await getWorkflow(unit.db, projectId, workflowId)
      const draft = await getDraft(unit.db, workflowId)
      requireDraftVersion(draft, version)
      requireDraftVersion(draft, checked.revision)
      if (draft.basedOn !== workflow.version)
        throw conflict(
          `The draft was made from version ${draft.basedOn} of the graph, which is version ${workflow.version} now.`,
          { version: workflow.version },
        )
      const live = await readGraph(unit.db, workflowId)
      const adopted = await adopt(unit.db, ids, workflow, draft.graph, live)
      const before = documentOf(live)
      const diff = diffOf(before, adopted.graph)
      const chosen = renamed(wanted, adopted.ids)
      const all = [...faults, ...adopted.faults, ...moveFaults(chosen, adopted.graph, diff)]
      if (all.length > 0) throw invalid(all)
      await clearDraft(unit, draft)
      if (isEmpty(diff)) return { workflow, ...live, draft: undefined }

      const plan = withUnfinished(
        planOf(before, diff, chosen),
        await findUnfinished(unit.db, workflowId),
        adopted.graph,
      )
      await saveDiff(unit, listeners, workflow, diff)
      const published = await getWorkflow(unit.db, projectId, workflowId)
      const hasMore = await moves.begin(unit, plan)
      await keepVersion(unit, workflowId, workflow.version, before)
      await keepVersion(unit, workflowId, published.version, {
        ...adopted.graph,
        ...(hasMore && { moves: Object.fromEntries(plan.moves), delays: plan.delays }),
      })
      if (hasMore) await moves.finishLater(unit, projectId, workflowId, published.version)
      unit.afterCommit(wake)
      return readWhole(unit.db, published)
    })
  }

/** The choice by the ids that steps have now. */
const renamed = (wanted: WantedMoves, ids: ReadonlyMap<string, string>): WantedMoves =>
  Object.fromEntries(Object.entries(wanted).map(([from, to]) => [from, ids.get(to) ?? to]))
