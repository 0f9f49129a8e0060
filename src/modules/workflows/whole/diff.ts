import type { Graph } from "../graph.ts"
import type { GraphDocument, Step } from "../table.ts"

type DocumentStep = GraphDocument["steps"][number]
type DocumentTransition = GraphDocument["transitions"][number]

/** What distinguishes a graph from another. */
export interface GraphDiff {
  readonly added: readonly DocumentStep[]
  readonly changed: readonly { readonly from: DocumentStep; readonly to: DocumentStep }[]
  readonly removed: readonly DocumentStep[]
  readonly addedTransitions: readonly DocumentTransition[]
  readonly removedTransitions: readonly DocumentTransition[]
}

const stepContent = ({ id, type, name, position, config, templateId }: DocumentStep): DocumentStep => ({
  id,
  type,
  name,
  position,
  config,
  templateId,
})

const transitionContent = (one: DocumentTransition): DocumentTransition => ({
  id: one.id,
  fromStepId: one.fromStepId,
  toStepId: one.toStepId,
  branch: one.branch,
  priority: one.priority,
})

export const documentOf = ({ steps, transitions }: Pick<Graph, "steps" | "transitions">): GraphDocument => ({
  steps: steps.map(stepContent),
  transitions: transitions.map(transitionContent),
})

/** A changed transition counts as removed and added. */
export function diffOf(live: GraphDocument, next: GraphDocument): GraphDiff {
  const known = new Map(live.steps.map((step) => [step.id, step]))
  const kept = new Set(next.steps.map(({ id }) => id))
  const knownTransitions = new Map(live.transitions.map((one) => [one.id, transitionContent(one)]))
  const nextTransitions = new Map(next.transitions.map((one) => [one.id, transitionContent(one)]))
  const isSame = (id: string) => Bun.deepEquals(knownTransitions.get(id), nextTransitions.get(id))
  return {
    added: next.steps.filter(({ id }) => !known.has(id)),
    changed: next.steps.flatMap((to) => {
      const from = known.get(to.id)
      return from && !Bun.deepEquals(stepContent(from), stepContent(to)) ? [{ from, to }] : []
    }),
    removed: live.steps.filter(({ id }) => !kept.has(id)),
    addedTransitions: next.transitions.filter(({ id }) => !isSame(id)),
    removedTransitions: live.transitions.filter(({ id }) => !isSame(id)),
  }
}

export const isEmpty = (diff: GraphDiff): boolean => Object.values(diff).every((part) => part.length === 0)

const isSameRule = (from: Pick<Step, "config" | "templateId">, to: Pick<Step, "config" | "templateId">): boolean =>
  from.templateId === to.templateId && Bun.deepEquals(from.config, to.config)

/** Whether more than names and positions of steps differ: what a locked workflow does not allow (contract B5.2). */
export const changesRules = ({ changed, ...rest }: GraphDiff): boolean =>
  changed.some(({ from, to }) => !isSameRule(from, to)) || !isEmpty({ ...rest, changed: [] })
