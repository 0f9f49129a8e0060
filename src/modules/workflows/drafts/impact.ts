import type { Engine } from "../../../engine.ts"
import type { GraphDocument } from "../table.ts"
import type { GraphDiff } from "../whole/diff.ts"
import { planOf } from "./plan.ts"
import { countStanding } from "./store.ts"

/** What publishing a graph would do to the contacts in the workflow (contract B5.11.3). */
export interface Impact {
  /** All contacts affected. */
  readonly people: number
  readonly sentences: readonly string[]
  /** Removed steps. `goesTo` is where their contacts go on unless the publisher chooses; null if they leave the workflow. */
  readonly removed: readonly (Concerned & { readonly goesTo: string | null })[]
  /** DELAY steps whose duration changes. */
  readonly delays: readonly (Concerned & { readonly from: string; readonly to: string })[]
  readonly steps: { readonly added: number; readonly changed: number; readonly removed: number }
}

interface Concerned {
  readonly stepId: string
  readonly name: string
  readonly people: number
}

const spanOf = ({ amount, unit }: Readonly<Record<string, unknown>>): string =>
  `${amount} ${amount === 1 ? String(unit).replace(/s$/, "") : unit}`

const peopleDo = (people: number, one: string, more: string): string =>
  people === 1 ? `1 person ${one}` : `${people} people ${more}`

/** Counts, off the event loop, the contacts that a change of the graph affects. */
export const createImpact =
  ({ store }: Pick<Engine, "store">) =>
  async (projectId: string, live: GraphDocument, next: GraphDocument, diff: GraphDiff): Promise<Impact> => {
    const plan = planOf(live, diff)
    const concerned = [...plan.moves.keys(), ...plan.delays]
    const rows =
      concerned.length === 0 ? [] : await store.readPool.read(projectId, (db) => countStanding(db, concerned))
    const peopleOn = new Map(rows.map(({ stepId, people }) => [stepId, people]))
    const nameOf = new Map(next.steps.map(({ id, name }) => [id, name]))

    const removed = diff.removed.map(({ id, name }) => ({
      stepId: id,
      name,
      people: peopleOn.get(id) ?? 0,
      goesTo: plan.moves.get(id) ?? null,
    }))
    const delays = diff.changed
      .filter(({ to }) => plan.delays.includes(to.id))
      .map(({ from, to }) => ({
        stepId: to.id,
        name: to.name,
        people: peopleOn.get(to.id) ?? 0,
        from: spanOf(from.config),
        to: spanOf(to.config),
      }))
    const sentences = [
      ...removed.map(({ name, people, goesTo }) => {
        const then = goesTo === null ? "they leave the workflow" : `they go on to "${nameOf.get(goesTo)}"`
        return { people, text: `${peopleDo(people, "stands", "stand")} on "${name}", which is removed: ${then}.` }
      }),
      ...delays.map(({ name, people, from, to }) => ({
        people,
        text: `${peopleDo(people, "waits", "wait")} on "${name}", which changes from ${from} to ${to}.`,
      })),
    ]
    return {
      people: [...peopleOn.values()].reduce((sum, people) => sum + people, 0),
      sentences: sentences.filter(({ people }) => people > 0).map(({ text }) => text),
      removed,
      delays,
      steps: { added: diff.added.length, changed: diff.changed.length, removed: diff.removed.length },
    }
  }
