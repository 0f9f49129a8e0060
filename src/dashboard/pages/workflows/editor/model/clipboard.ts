import { branchesOf, isMulti, mainExit } from "./exits.ts"
import { freshId, type Graph, insertAt, type Link, openExits, type Place, type Step } from "./graph.ts"
import { addable } from "./kinds.ts"

const mark = "mailstead.steps"

/** The text for the clipboard: the steps without a trigger, and the transitions between them. */
export function copyText(graph: Graph, ids: ReadonlySet<string>): string | null {
  const steps = graph.steps.filter(({ id, type }) => ids.has(id) && type !== "TRIGGER")
  if (steps.length === 0) return null
  const copied = new Set(steps.map(({ id }) => id))
  const links = graph.links.filter(({ from, to }) => copied.has(from) && copied.has(to))
  return JSON.stringify({ [mark]: 1, steps, links })
}

/** Steps of the clipboard with new ids; null when its text is something else. */
export function stepsFrom(text: string): Graph | null {
  try {
    const sent = JSON.parse(text) as Partial<Graph> & Readonly<Record<string, unknown>>
    if (sent[mark] !== 1 || !sent.steps?.every(isStep) || !sent.links?.every(isLink)) return null
    return withFreshIds({ steps: sent.steps, links: sent.links })
  } catch {
    return null
  }
}

const isStep = ({ id, type, name, config }: Step): boolean =>
  [id, name].every((text) => typeof text === "string") &&
  addable.some((known) => known === type) &&
  typeof config === "object" &&
  config !== null

const isLink = (link: Link): boolean => [link.from, link.branch, link.to].every((text) => typeof text === "string")

export function withFreshIds({ steps, links }: Graph): Graph {
  const ids = new Map(steps.map(({ id }) => [id, freshId()]))
  const named = (id: string): string => ids.get(id) ?? id
  return {
    steps: steps.map((step): Step => ({ ...step, id: named(step.id) })),
    links: links.map(({ from, branch, to }): Link => ({ from: named(from), branch, to: named(to) })),
  }
}

/** The step that nothing among them leads to, or the first. */
const firstOf = ({ steps, links }: Graph): Step | undefined =>
  steps.find(({ id }) => links.every(({ to }) => to !== id)) ?? steps[0]

/** The exit from which what came after the place goes on: the first open one, of the last step if possible. */
function lastOf(added: Graph): Place | null {
  const open = added.steps.flatMap((step) => openExits(added, step))
  const plain = open.findLast(({ from, branch }) => {
    const step = added.steps.find(({ id }) => id === from)
    return step !== undefined && branch === mainExit(step)
  })
  return plain ?? open[0] ?? null
}

/** Puts copied steps at an exit; null when nothing would lead on to what comes after it. */
export function paste(graph: Graph, place: Place, added: Graph): Graph | null {
  const first = firstOf(added)
  if (!first) return null
  const last = lastOf(added)
  const isTaken = graph.links.some(({ from, branch }) => from === place.from && branch === place.branch)
  if (isTaken && !last) return null
  return insertAt(graph, place, added, first.id, last)
}

/** A number for a new branch that no other has. */
export function nextBranchId(step: Step): string {
  const taken = new Set(isMulti(step.config) ? branchesOf(step.config).map(({ id }) => id) : [])
  for (let n = 1; ; n++) if (!taken.has(`b${n}`)) return `b${n}`
}
