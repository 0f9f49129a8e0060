import type { Engine } from "../../../engine.ts"
import { type Fault, invalid, notFound } from "../../../kernel/errors.ts"
import type { Unit } from "../../../store/writer.ts"
import { getWorkflow } from "../actions.ts"
import { readGraph } from "../store.ts"
import type { Draft, Workflow } from "../table.ts"
import { adopt } from "../whole/adopt.ts"
import { diffOf, documentOf } from "../whole/diff.ts"
import { graphFaults, structureFaults } from "../whole/faults.ts"
import type { SentGraph } from "../whole/sent.ts"
import { getDraft, requireDraftVersion } from "./draft.ts"
import { createImpact, type Impact } from "./impact.ts"
import { createPublish, type PublishEngine } from "./publish.ts"
import { clearDraft, findDraft, findVersion, type KeptVersion, listVersions, saveDraft } from "./store.ts"

export interface DraftWithFaults {
  readonly draft: Draft
  /** The version of the live graph. */
  readonly liveVersion: number
  readonly faults: readonly Fault[]
}

interface SavedDraft extends DraftWithFaults {
  /** The ids that were sent and are others now. */
  readonly ids: ReadonlyMap<string, string>
}

interface ShownDraft extends DraftWithFaults {
  readonly impact: Impact
}

/** What a request names of the draft that it changes. */
interface DraftVersion {
  /** That of the draft as it was read; undefined when there was none. */
  readonly version: number | undefined
  /** The version of the live graph that it is made from; undefined keeps the known one. */
  readonly basedOn?: number | undefined
}

/** Changed graphs beside the live ones (contract B5.11). */
export function createDraftActions(engine: PublishEngine & Pick<Engine, "store" | "ids">) {
  const { store, ids } = engine
  const impactOf = createImpact(engine)

  async function keep(
    unit: Unit,
    workflow: Workflow,
    sent: SentGraph,
    { version, basedOn }: DraftVersion,
  ): Promise<SavedDraft> {
    const known = await findDraft(unit.db, workflow.id)
    requireDraftVersion(known, version)
    const adopted = await adopt(unit.db, ids, workflow, sent, await readGraph(unit.db, workflow.id))
    const draft = await saveDraft(unit, workflow.id, {
      graph: adopted.graph,
      basedOn: basedOn ?? known?.basedOn ?? workflow.version,
    })
    return { draft, liveVersion: workflow.version, faults: adopted.faults, ids: adopted.ids }
  }

  return {
    /** @throws {DomainError} 422 for an invalid graph, and 409 for another version of the draft */
    async save(projectId: string, workflowId: string, sent: SentGraph, read: DraftVersion): Promise<SavedDraft> {
      const unreadable = structureFaults(sent)
      const faults = unreadable.length > 0 ? [] : await graphFaults(sent)
      return store.write(projectId, async (unit) => {
        const workflow = await getWorkflow(unit.db, projectId, workflowId)
        if (unreadable.length > 0) throw invalid(unreadable)
        const saved = await keep(unit, workflow, sent, read)
        return { ...saved, faults: [...faults, ...saved.faults] }
      })
    },

    /** The draft with its faults as of now, and what publishing it would do. */
    async get(projectId: string, workflowId: string): Promise<ShownDraft> {
      const workflow = await getWorkflow(store.read, projectId, workflowId)
      const draft = await getDraft(store.read, workflowId)
      const live = await readGraph(store.read, workflowId)
      const { graph, faults } = await adopt(store.read, ids, workflow, draft.graph, live)
      const document = documentOf(live)
      return {
        draft,
        liveVersion: workflow.version,
        faults: [...(await graphFaults(draft.graph)), ...faults],
        impact: await impactOf(projectId, document, graph, diffOf(document, graph)),
      }
    },

    publish: createPublish(engine),

    discard: (projectId: string, workflowId: string): Promise<void> =>
      store.write(projectId, async (unit) => {
        await getWorkflow(unit.db, projectId, workflowId)
        await clearDraft(unit, await getDraft(unit.db, workflowId))
      }),

    /** The graphs that are kept, the newest first. */
    async versions(projectId: string, workflowId: string): Promise<{ live: number; versions: KeptVersion[] }> {
      const { version: live } = await getWorkflow(store.read, projectId, workflowId)
      const rows = await store.readPool.read(projectId, (db) => listVersions(db, workflowId))
      return { live, versions: rows.map(({ steps, ...row }) => ({ ...row, steps: steps ?? 0 })) }
    },

    /** Makes a kept graph the draft, based on the live graph of now. */
    async restore(projectId: string, workflowId: string, version: number, read: DraftVersion): Promise<SavedDraft> {
      await getWorkflow(store.read, projectId, workflowId)
      const graph = await findVersion(store.read, workflowId, version)
      if (graph === undefined) throw notFound("Version", String(version))
      const faults = await graphFaults(graph)
      return store.write(projectId, async (unit) => {
        const workflow = await getWorkflow(unit.db, projectId, workflowId)
        const saved = await keep(unit, workflow, graph, { ...read, basedOn: workflow.version })
        return { ...saved, faults: [...faults, ...saved.faults] }
      })
    },
  }
}

export type DraftActions = ReturnType<typeof createDraftActions>
