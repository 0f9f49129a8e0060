import type { Data } from "../../../../api/types.ts"
import type { SentTransition, StepType } from "../../../../api/workflows.ts"
import { exitsOf, isMulti, mainExit } from "./exits.ts"

/** A step while it is edited. Its position is computed from the graph. */
export interface Step {
  readonly id: string
  readonly type: StepType
  readonly name: string
  readonly config: Data
  readonly templateId: string | null
}

/** A transition from an exit of a step; the plain exit is `""`. */
export interface Link {
  readonly from: string
  readonly branch: string
  readonly to: string
  /** Of a stored one. */
  readonly id?: string | undefined
  readonly priority?: number | undefined
}

export interface Graph {
  readonly steps: readonly Step[]
  readonly links: readonly Link[]
}

/** An exit of a step, whether a transition starts there or not. */
export interface Place {
  readonly from: string
  readonly branch: string
}

export const plain = ""

export const placeKey = ({ from, branch }: Place): string => `${from}>${branch}`

/** A UUID of version 4. `crypto.randomUUID` exists only on secure origins. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** Of a workflow, or of a draft. */
interface Stored {
  readonly steps: readonly Step[]
  readonly transitions: readonly SentTransition[]
}

export const graphOf = ({ steps, transitions }: Stored): Graph => ({
  steps: steps.map(({ id, type, name, config, templateId }) => ({
    id,
    type,
    name,
    config: type === "SEND_EMAIL" ? withoutTemplate(config) : config,
    templateId,
  })),
  links: transitions.map(({ id, fromStepId, toStepId, branch, priority }) => ({
    id,
    from: fromStepId,
    branch: branch ?? plain,
    to: toStepId,
    priority,
  })),
})

/** The template of a mail stands beside its config, too. */
const withoutTemplate = ({ templateId: _, ...config }: Data): Data => config

export const stepIn = ({ steps }: Graph, id: string): Step | undefined => steps.find((step) => step.id === id)
export const triggerOf = ({ steps }: Graph): Step | undefined => steps.find(({ type }) => type === "TRIGGER")

export const linkAt = ({ links }: Graph, { from, branch }: Place): Link | undefined =>
  links.find((link) => link.from === from && link.branch === branch)

export const linksFrom = ({ links }: Graph, id: string): readonly Link[] => links.filter(({ from }) => from === id)
export const linksTo = ({ links }: Graph, id: string): readonly Link[] => links.filter(({ to }) => to === id)

/** The exits of a step that lead nowhere, in the order of its exits. */
export const openExits = (graph: Graph, step: Step): readonly Place[] =>
  exitsOf(step)
    .map(({ branch }) => ({ from: step.id, branch }))
    .filter((place) => !linkAt(graph, place))

/** The place after a step at which another can be added: its first open exit, else its main exit; null after EXIT. */
export function placeAfter(graph: Graph, step: Step): Place | null {
  const [open] = openExits(graph, step)
  const branch = mainExit(step)
  return open ?? (branch === null ? null : { from: step.id, branch })
}

/** Puts steps at an exit: `first` takes its transition, and the exit `last` leads to what came after. */
export function insertAt(graph: Graph, place: Place, added: Graph, first: string, last: Place | null): Graph {
  const next = linkAt(graph, place)
  return {
    steps: [...graph.steps, ...added.steps],
    links: [
      ...graph.links.filter((link) => link !== next),
      ...added.links,
      { ...place, to: first },
      ...(next && last ? [{ ...last, to: next.to }] : []),
    ],
  }
}

export function insertStep(graph: Graph, place: Place, step: Step): Graph {
  const branch = mainExit(step)
  const last = branch === null ? null : { from: step.id, branch }
  return insertAt(graph, place, { steps: [step], links: [] }, step.id, last)
}

export const changeStep = (graph: Graph, id: string, part: Partial<Omit<Step, "id" | "type">>): Graph => {
  const steps = graph.steps.map((step) => (step.id === id ? { ...step, ...part } : step))
  const changed = steps.find((step) => step.id === id)
  const branches = changed ? exitsOf(changed).map(({ branch }) => branch) : []
  const before = stepIn(graph, id)
  const links =
    before && changed ? graph.links.map((link) => (link.from === id ? ledOn(link, before, changed) : link)) : []
  // the transition of an exit that no longer exists goes with it
  return { steps, links: links.filter(({ from, branch }) => from !== id || branches.includes(branch)) }
}

/** A transition of a condition that gets several branches, or two: the first and the last exit keep what they lead to. */
function ledOn(link: Link, before: Step, after: Step): Link {
  if (isMulti(before.config) === isMulti(after.config)) return link
  const [first, last] = [exitsOf(before)[0]?.branch, exitsOf(before).at(-1)?.branch]
  const exits = exitsOf(after)
  const branch = link.branch === first ? exits[0]?.branch : link.branch === last ? exits.at(-1)?.branch : undefined
  return branch === undefined ? link : { ...link, branch }
}

/** Leads an open exit to an existing step. */
export const connect = (graph: Graph, place: Place, to: string): Graph => ({
  ...graph,
  links: [...graph.links.filter((link) => link.from !== place.from || link.branch !== place.branch), { ...place, to }],
})

export const disconnect = (graph: Graph, place: Place): Graph => ({
  ...graph,
  links: graph.links.filter(({ from, branch }) => from !== place.from || branch !== place.branch),
})

/** Removes a step. What leads to it leads to `to` instead, or nowhere. */
export function removeStep(graph: Graph, id: string, to: string | null): Graph {
  const links = graph.links.filter(({ from }) => from !== id)
  return {
    steps: graph.steps.filter((step) => step.id !== id),
    links: links.flatMap((link) =>
      link.to !== id ? [link] : to === null || to === link.from ? [] : [{ ...link, to }],
    ),
  }
}

/** The steps that lead on from these, without those themselves; in no order. */
export function reachableFrom(graph: Graph, ids: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const next = [...ids]
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    for (const { to } of linksFrom(graph, id)) {
      if (seen.has(to)) continue
      seen.add(to)
      next.push(to)
    }
  }
  return seen
}

/** Removes steps together with all that is reached through them only. */
export function removeBranch(graph: Graph, first: string): Graph {
  const cut = { ...graph, links: graph.links.filter(({ to }) => to !== first) }
  const trigger = triggerOf(graph)
  const before = trigger ? reachableFrom(graph, [trigger.id]) : new Set<string>()
  const left = trigger ? reachableFrom(cut, [trigger.id]) : new Set<string>()
  const gone = new Set([first, ...[...before].filter((id) => !left.has(id))])
  return {
    steps: graph.steps.filter(({ id }) => !gone.has(id)),
    links: graph.links.filter(({ from, to }) => !gone.has(from) && !gone.has(to)),
  }
}
