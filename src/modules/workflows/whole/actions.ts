import type { Engine } from "../../../engine.ts"
import { conflict, type Fault, invalid, notFound } from "../../../kernel/errors.ts"
import { getWorkflow, locked, readWhole, type WholeWorkflow } from "../actions.ts"
import type { Listeners } from "../engine/listeners.ts"
import { isLocked, isStoodOn } from "../executions/store.ts"
import { findWorkflow, readGraph } from "../store.ts"
import type { Workflow } from "../table.ts"
import { type AdoptedGraph, adopt, storedFaults } from "./adopt.ts"
import { changesRules, diffOf, documentOf, isEmpty } from "./diff.ts"
import { sentFaults } from "./faults.ts"
import { saveDiff } from "./save.ts"
import type { ReadGraph, SentGraph } from "./sent.ts"

export interface ReplacedWorkflow extends WholeWorkflow, Pick<AdoptedGraph, "ids"> {}

interface WholeEngine extends Pick<Engine, "store" | "ids"> {
  readonly listeners: Pick<Listeners, "add">
}

/** @throws {DomainError} 409 when the graph that the caller has read is not the present one */
function requireVersion({ version }: Pick<Workflow, "version">, read: number): void {
  if (read !== version)
    throw conflict(`The graph has changed since version ${read}: it is version ${version} now.`, { version })
}

/** Changes of a whole graph in one unit (contract B5.2.17). */
export function createWholeGraphActions({ store, ids, listeners }: WholeEngine) {
  return {
    /** The faults of what can be read of a graph, for a body that has other faults. */
    async faults(projectId: string, workflowId: string | undefined, read: ReadGraph): Promise<Fault[]> {
      const faults = await sentFaults(read)
      const workflow = workflowId && (await findWorkflow(store.read, projectId, workflowId))
      if (!workflow) return faults
      const live = await readGraph(store.read, workflow.id)
      return [...faults, ...(await storedFaults(store.read, projectId, read, live))]
    },

    /**
     * @throws {DomainError} 422 with all faults, and 409 for another version, a locked workflow, or a step that goes
     * with contacts on it
     */
    async replace(projectId: string, workflowId: string, sent: SentGraph, version: number): Promise<ReplacedWorkflow> {
      const faults = await sentFaults(sent)
      return store.write(projectId, async (unit) => {
        const workflow = await findWorkflow(unit.db, projectId, workflowId)
        if (workflow === undefined) throw faults.length > 0 ? invalid(faults) : notFound("Workflow", workflowId)
        const live = await readWhole(unit.db, workflow)
        const adopted = await adopt(unit.db, ids, workflow, sent, live)
        const all = [...faults, ...adopted.faults]
        if (all.length > 0) throw invalid(all)
        requireVersion(workflow, version)
        const diff = diffOf(documentOf(live), adopted.graph)
        if (isEmpty(diff)) return { ...live, ids: adopted.ids }
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
