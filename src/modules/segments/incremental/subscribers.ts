import type { Subscriber } from "../../../bus/bus.ts"
import { isSignal, type Signal } from "../../../bus/signal.ts"
import type { Log } from "../../../kernel/log.ts"
import { contactChanged } from "../../contacts/index.ts"
import { eventRecorded } from "../../events/index.ts"
import type { Reevaluate } from "./reevaluate.ts"
import type { TriggerIndex } from "./trigger-index.ts"

/** The time that a unit may spend on evaluating conditions, in ms: for several contacts, and for one alone. */
const togetherMs = 50
const aloneMs = 150

type Payload = { readonly contactId: string | null; readonly name?: string }

/**
 * Keeps tracked membership up to date as contacts change (contract B3.4.3). New times of mails arrive as the events that
 * they are recorded with. A contact with several signals is evaluated once for all of them.
 */
export function segmentSubscribers(triggers: TriggerIndex, reevaluate: Reevaluate, log: Log): Subscriber[] {
  const concerns = (projectId: string, payload: unknown): boolean => {
    const { contactId, name } = payload as Payload
    if (contactId === null) return false
    return name === undefined ? triggers.concernsChange(projectId) : triggers.concernsEvent(projectId, name)
  }

  const contactOf = (signal: Signal): string | null =>
    isSignal(signal, contactChanged) || isSignal(signal, eventRecorded) ? (signal.payload?.contactId ?? null) : null

  return [
    {
      name: "segments.membership",
      on: [contactChanged, eventRecorded],
      concerns,
      // Each may be evaluated for a hundred segments.
      atOnce: 25,
      async handle(signals, unit) {
        const projects = new Map<string, Set<string>>()
        for (const signal of signals) {
          const contactId = contactOf(signal)
          if (contactId === null || !concerns(signal.projectId, signal.payload)) continue
          const contacts = projects.get(signal.projectId) ?? new Set<string>()
          projects.set(signal.projectId, contacts.add(contactId))
        }
        const isAlone = signals.length === 1
        for (const [projectId, contacts] of projects) {
          if (await reevaluate(unit, projectId, contacts, isAlone ? aloneMs : togetherMs / projects.size)) continue
          // Then each of them gets a unit of its own.
          if (!isAlone) throw new Error("The contacts take too long to be evaluated in one unit.")
          log.warn("Segments are too slow to follow each change", { project: projectId })
        }
      },
    },
  ]
}
