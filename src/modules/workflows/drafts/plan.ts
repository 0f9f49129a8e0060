import { type Fault, fault } from "../../../kernel/errors.ts"
import { plain } from "../graph.ts"
import { maxSteps } from "../limits.ts"
import type { GraphDocument, PublishedGraph } from "../table.ts"
import type { GraphDiff } from "../whole/diff.ts"

/** What a new graph means for the contacts in the workflow (contract B5.11.4, B5.11.5). */
export interface Plan {
  /** Where contacts continue from each removed step: at another step, or null where their execution ends. */
  readonly moves: ReadonlyMap<string, string | null>
  /** The DELAY steps whose duration changes. */
  readonly delays: readonly string[]
}

/** Where contacts on removed steps continue, as chosen by the publisher. */
export type WantedMoves = Readonly<Record<string, string>>

/** Chosen instead of a step: the execution ends. */
export const exit = "EXIT"

/** Faults of moves from a step that is not removed, or to a step at which contacts cannot continue. */
export function moveFaults(wanted: WantedMoves, next: GraphDocument, { removed }: Pick<GraphDiff, "removed">): Fault[] {
  const sent = Object.entries(wanted)
  if (sent.length > maxSteps) return [fault("moves", "too_big", `moves must have at most ${maxSteps} steps.`)]
  const goes = new Set(removed.map(({ id }) => id))
  const stays = new Set(next.steps.filter(({ type }) => type !== "TRIGGER").map(({ id }) => id))
  return sent.flatMap(([from, to]) => {
    const path = `moves.${from}`
    if (!goes.has(from)) return [fault(path, "custom", `${path} names a step that is not removed.`)]
    return to === exit || stays.has(to)
      ? []
      : [fault(path, "custom", `${path} must be EXIT or a step of the new graph.`)]
  })
}

/**
 * Contacts continue where the publisher chose, else at the step that the plain exit led to, else nowhere. If that step
 * is removed too, the same applies from there.
 */
export function planOf(
  live: GraphDocument,
  { removed, changed }: Pick<GraphDiff, "removed" | "changed">,
  wanted: WantedMoves = {},
): Plan {
  const goes = new Set(removed.map(({ id }) => id))
  const plainExits = new Map(
    live.transitions.filter(({ branch }) => branch === plain).map(({ fromStepId, toStepId }) => [fromStepId, toStepId]),
  )
  const targetOf = (first: string): string | null => {
    const seen = new Set<string>()
    for (let step: string | undefined = first; step !== undefined && !seen.has(step); ) {
      if (!goes.has(step)) return step
      seen.add(step)
      const next: string | undefined = wanted[step] ?? plainExits.get(step)
      if (next === exit) return null
      step = next
    }
    return null
  }
  const delays = changed.filter(
    ({ from, to }) =>
      to.type === "DELAY" &&
      !Bun.deepEquals([from.config.amount, from.config.unit], [to.config.amount, to.config.unit]),
  )
  return {
    moves: new Map(removed.map(({ id }) => [id, targetOf(id)])),
    delays: delays.map(({ to }) => to.id),
  }
}

/** The plan merged with the unfinished plan of an earlier graph (contract B5.11.6). */
export function withUnfinished(
  { moves, delays }: Plan,
  unfinished: Pick<PublishedGraph, "moves" | "delays"> | undefined,
  next: GraphDocument,
): Plan {
  const stays = new Set(next.steps.map(({ id }) => id))
  const earlier = Object.entries(unfinished?.moves ?? {})
    .filter(([from]) => !stays.has(from))
    .map(([from, to]): [string, string | null] => [from, to === null || stays.has(to) ? to : (moves.get(to) ?? null)])
  const left = (unfinished?.delays ?? []).filter((id) => stays.has(id) && !delays.includes(id))
  return { moves: new Map([...earlier, ...moves]), delays: [...delays, ...left] }
}
