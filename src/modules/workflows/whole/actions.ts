import type { Engine } from "../../../engine.ts"
import { conflict, invalid } from "../../../kernel/errors.ts"
import { getWorkflow, locked, readWhole, type WholeWorkflow } from "../actions.ts"
import type { Listeners } from "../engine/listeners.ts"
import { isLocked, isStoodOn } from "../executions/store.ts"
import { readGraph } from "../store.ts"
import type { Workflow } from "../table.ts"
import { type Adopted, adopt } from "./adopt.ts"
import { changesRules, diffOf, documentOf, isEmpty } from "./diff.ts"
import { graphFaults, structureFaults } from "./faults.ts"
import { saveDiff } from "./save.ts"
import type { SentGraph } from "./sent.ts"

export interface ReplacedWorkflow extends WholeWorkflow, Pick<Adopted, "ids"> {}

export interface WholeEngine extends Pick<Engine, "store" | "ids"> {
  readonly listeners: Pick<Listeners, "add">
}

/** Throws 409 when the graph that the caller has read is not the present one. */
export function requireVersion({ version }: Pick<Workflow, "version">, read: number): void {
  if (read !== version)
    throw conflict(`The graph has changed since version ${read}: it is version ${version} now.`, { version })
}

/** Changes of a whole graph in one unit (contract B5.2.17). */
export function createWholeGraphActions({ store, ids, listeners }: WholeEngine) {
  return {
    /** Throws 422 with all faults, and 409 for another version, a locked workflow, or a step that goes with contacts on it. */
    async replace(projectId: string, workflowId: string, sent: SentGraph, version: number): Promise<ReplacedWorkflow> {
      const unreadable = structureFaults(sent)
      const faults = unreadable.length > 0 ? unreadable : await graphFaults(sent)
      return store.write(projectId, async (unit) => {
        const workflow = await getWorkflow(unit.db, projectId, workflowId)
        if (faults.length > 0) throw invalid(faults)
        requireVersion(workflow, version)
        const live = await readGraph(unit.db, workflowId)
        const adopted = await adopt(unit.db, ids, workflow, sent, live)
        if (adopted.faults.length > 0) throw invalid(adopted.faults)
        const diff = diffOf(documentOf(live), adopted.graph)
        if (isEmpty(diff)) return { ...(await readWhole(unit.db, workflow)), ids: adopted.ids }
        if (changesRules(diff) && (await isLocked(unit.db, workflow))) throw locked()
        for (const { id, name } of diff.removed)
          if (await isStoodOn(unit.db, id)) throw conflict(`Contacts stand on the step "${name}".`)
        await saveDiff(unit, listeners, workflow, diff)
        const saved = await getWorkflow(unit.db, projectId, workflowId)
        return { ...(await readWhole(unit.db, saved)), ids: adopted.ids }
      })
    },
  }
}

export type WholeGraphActions = ReturnType<typeof createWholeGraphActions>
