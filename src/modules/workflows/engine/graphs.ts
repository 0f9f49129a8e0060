import { LRUCache } from "lru-cache"
import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import { type BranchOf, branchOf } from "../condition.ts"
import { findUnfinished } from "../drafts/store.ts"
import { plain } from "../graph.ts"
import { readGraph } from "../store.ts"
import type { GraphDocument, PublishedGraph, Step, Workflow } from "../table.ts"

/** What the engine reads of a step. */
type NodeStep = Pick<Step, "id" | "type" | "name" | "config" | "templateId">

/** A step as the engine uses it. */
export interface Node {
  readonly step: NodeStep
  /** The step that each exit leads to, by branch. */
  readonly exits: ReadonlyMap<string, string>
  /** Of a CONDITION step. */
  readonly branchOf: BranchOf | undefined
}

export interface ExecutableGraph {
  readonly nodes: ReadonlyMap<string, Node>
  readonly triggerId: string | undefined
  readonly templateIds: readonly string[]
  /** Where executions on removed steps continue: at another step, or null where they end. */
  readonly moves: ReadonlyMap<string, string | null>
  /** DELAY steps whose executions may still have the end time of an earlier graph. */
  readonly delays: ReadonlySet<string>
}

/** The step that an exit leads to; undefined at the end of the way. */
export const follow = ({ exits }: Node, branch: string = plain): string | undefined => exits.get(branch)

interface Parts extends Pick<GraphDocument, "transitions">, Pick<PublishedGraph, "moves" | "delays"> {
  readonly steps: readonly NodeStep[]
}

export function executable({ steps, transitions, moves = {}, delays = [] }: Parts): ExecutableGraph {
  const exitsOf = Map.groupBy(transitions, ({ fromStepId }) => fromStepId)
  const nodes = steps.map((step): [string, Node] => [
    step.id,
    {
      step,
      exits: new Map(exitsOf.get(step.id)?.map(({ branch, toStepId }) => [branch, toStepId])),
      branchOf: step.type === "CONDITION" ? branchOf(step.config) : undefined,
    },
  ])
  return {
    nodes: new Map(nodes),
    triggerId: steps.find(({ type }) => type === "TRIGGER")?.id,
    templateIds: [...new Set(steps.flatMap(({ templateId }) => templateId ?? []))],
    moves: new Map(Object.entries(moves)),
    delays: new Set(delays),
  }
}

/** A unit, or what reads committed data only. */
type GraphReader = Pick<Unit, "db" | "afterCommit">

export const committed = (db: Db): GraphReader => ({ db, afterCommit: (run) => run() })

/**
 * The graphs in use. Memory: a graph is kept under its version, which increases in each unit that changes it, and only when
 * the unit that has read it is committed: it may have seen a change that is rolled back with it.
 */
export function createGraphs() {
  const known = new LRUCache<string, ExecutableGraph>({ max: 500 })
  return async (reader: GraphReader, { id, version }: Pick<Workflow, "id" | "version">): Promise<ExecutableGraph> => {
    const key = `${id} ${version}`
    const found = known.get(key)
    if (found !== undefined) return found
    const graph = executable({ ...(await readGraph(reader.db, id)), ...(await findUnfinished(reader.db, id)) })
    reader.afterCommit(() => void known.set(key, graph))
    return graph
  }
}

export type Graphs = ReturnType<typeof createGraphs>
