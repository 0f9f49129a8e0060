import { useState } from "react"
import type { StepType } from "../../../api/workflows.ts"
import type { Choice } from "./canvas/context.ts"
import type { Flow } from "./flow.ts"
import { paste, withFreshIds } from "./model/clipboard.ts"
import {
  changeStep,
  connect,
  disconnect,
  type Graph,
  insertStep,
  linkAt,
  linksFrom,
  type Place,
  placeAfter,
  placeKey,
  reachableFrom,
  removeBranch,
  removeStep,
  type Step,
  stepIn,
  triggerOf,
} from "./model/graph.ts"
import { type History, useHistory } from "./model/history.ts"
import { newStep } from "./model/kinds.ts"

/**
 * What happens to the steps after a removed one: those of the exit `keep` are joined to what led to it, or all are
 * removed with it.
 */
export type Removal = { readonly keep: string | null } | { readonly branch: true }

export interface Steps extends Pick<History<Flow>, "undo" | "redo"> {
  /** The chosen steps, the last one last. */
  readonly chosen: readonly string[]
  /** The one whose settings are shown. */
  readonly shown: Step | undefined
  /** Another object each time that its settings are opened, so that they take the focus; null when it is only chosen. */
  readonly opened: object | null
  /** Increases with each undo and redo, so that forms begin anew. */
  readonly revision: number
  /** What the focus moves to. */
  readonly focus: { readonly stop: string } | null
  /** A step that the canvas moves into view, without the focus. */
  readonly inView: { readonly stop: string } | null
  show(id: string): void
  choose(id: string, how: Choice): void
  close(): void
  edit(part: Partial<Flow>, key?: string): void
  editStep(id: string, part: Partial<Omit<Step, "id" | "type">>, key: string): void
  add(place: Place, type: StepType): void
  /** Where the palette and a paste put steps: after the chosen one, or at the end of the first way. */
  defaultPlace(): Place | null
  insert(place: Place, added: Graph): boolean
  duplicate(step: Step): void
  remove(step: Step, removal: Removal): void
  removeAll(ids: readonly string[]): void
  move(id: string, place: Place): boolean
  connect(place: Place, to: string): void
  disconnect(place: Place): void
}

/** The changes of the graph, with what is chosen and focused after each. */
export function useSteps(flow: Flow, onFlow: (flow: Flow) => void): Steps {
  const { change, undo, redo } = useHistory(flow, onFlow)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<object | null>(null)
  const [inView, setInView] = useState<{ readonly stop: string } | null>(null)
  const [revision, setRevision] = useState(0)
  const [focus, setFocus] = useState<{ readonly stop: string } | null>(null)
  const known = chosen.filter((id) => stepIn(flow, id) !== undefined)
  const apply = (graph: Graph, key?: string) => change({ ...flow, steps: graph.steps, links: graph.links }, key)

  /** Chooses a new step and opens its settings. */
  const open = (id: string) => {
    setChosen([id])
    setOpened({})
  }
  const after = (step: Step | undefined): Place | null => (step ? placeAfter(flow, step) : null)
  /** Keeps the focus near a step that goes: at the one before it. */
  const focusBefore = (id: string) => {
    const before = flow.links.find(({ to, from }) => to === id && from !== id)?.from ?? triggerOf(flow)?.id
    setChosen([])
    setOpened(null)
    if (before) setFocus({ stop: before })
  }

  const anew = (step: (() => void) | undefined) =>
    step &&
    (() => {
      setRevision(revision + 1)
      step()
    })

  return {
    undo: anew(undo),
    redo: anew(redo),
    revision,
    chosen: known,
    shown: known.length === 1 ? stepIn(flow, known[0] ?? "") : undefined,
    opened,
    focus,
    inView,
    show: (stop) => setInView({ stop }),
    choose(id, { more, byKey }) {
      if (!more && byKey) return open(id)
      setOpened(null)
      if (!more) return setChosen([id])
      setChosen(known.includes(id) ? known.filter((one) => one !== id) : [...known, id])
    },
    close() {
      const last = known.at(-1)
      setChosen([])
      setOpened(null)
      if (last) setFocus({ stop: last })
    },
    edit: (part, key) => change({ ...flow, ...part }, key),
    editStep: (id, part, key) => apply(changeStep(flow, id, part), `${id} ${key}`),
    add(place, type) {
      const step = newStep(type)
      apply(insertStep(flow, place, step))
      open(step.id)
    },
    defaultPlace() {
      const last = known.at(-1)
      const place = after(last === undefined ? undefined : stepIn(flow, last))
      return place ?? endOfFirstWay(flow)
    },
    insert(place, added) {
      const graph = paste(flow, place, added)
      if (!graph) return false
      apply(graph)
      const ids = added.steps.map(({ id }) => id)
      setChosen(ids)
      setOpened(null)
      if (ids[0]) setFocus({ stop: ids[0] })
      return true
    },
    duplicate(step) {
      const copy = withFreshIds({ steps: [step], links: [] })
      const place = after(step)
      const graph = place ? paste(flow, place, copy) : null
      // an exit step is copied beside the others
      apply(graph ?? { steps: [...flow.steps, ...copy.steps], links: flow.links })
      if (copy.steps[0]) open(copy.steps[0].id)
    },
    remove(step, removal) {
      if ("branch" in removal) apply(removeBranch(flow, step.id))
      else {
        const to = removal.keep === null ? null : (linkAt(flow, { from: step.id, branch: removal.keep })?.to ?? null)
        apply(withoutLoose(removeStep(flow, step.id, to), flow))
      }
      focusBefore(step.id)
    },
    removeAll(ids) {
      let graph: Graph = flow
      for (const id of ids) {
        const step = stepIn(graph, id)
        if (step && step.type !== "TRIGGER") graph = removeStep(graph, id, linksFrom(graph, id)[0]?.to ?? null)
      }
      apply(withoutLoose(graph, flow))
      if (ids[0]) focusBefore(ids[0])
    },
    move(id, place) {
      const step = stepIn(flow, id)
      if (!step || step.type === "TRIGGER" || place.from === id) return false
      const next = linkAt(flow, place)
      if (next?.to === id) return false
      if (step.type === "EXIT" && next) return false
      const [kept] = linksFrom(flow, id)
      apply(insertStep(removeStep(flow, id, kept?.to ?? null), place, step))
      setChosen([id])
      setOpened(null)
      setFocus({ stop: id })
      return true
    },
    connect(place, to) {
      apply(connect(flow, place, to))
      setFocus({ stop: placeKey(place) })
    },
    disconnect(place) {
      apply(disconnect(flow, place))
      setFocus({ stop: placeKey(place) })
    },
  }
}

/** Without the steps that only the removed one led to. */
function withoutLoose(graph: Graph, before: Graph): Graph {
  const trigger = triggerOf(graph)
  if (!trigger) return graph
  const was = reachableFrom(before, [trigger.id])
  const is = reachableFrom(graph, [trigger.id])
  const isKept = (id: string): boolean => id === trigger.id || is.has(id) || !was.has(id)
  return {
    steps: graph.steps.filter(({ id }) => isKept(id)),
    links: graph.links.filter(({ from, to }) => isKept(from) && isKept(to)),
  }
}

/** Follows the first exits from the trigger to where nothing comes after; null at an exit step. */
function endOfFirstWay(graph: Graph): Place | null {
  const seen = new Set<string>()
  for (let step = triggerOf(graph); step && !seen.has(step.id); ) {
    seen.add(step.id)
    const place = placeAfter(graph, step)
    const next = place && linkAt(graph, place)
    if (!next) return place
    step = stepIn(graph, next.to)
  }
  return null
}
