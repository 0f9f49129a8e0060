import type { Subscriber } from "../../../bus/bus.ts"
import { isSignal, type Signal } from "../../../bus/signal.ts"
import { contactChanged } from "../../contacts/index.ts"
import { eventRecorded } from "../../events/index.ts"
import type { Reevaluate } from "./reevaluate.ts"
import type { TriggerIndex } from "./trigger-index.ts"

type Payload = { readonly contactId: string | null; readonly name?: string }

/**
 * Keeps tracked membership up to date as contacts change (contract B3.4.3). New times of mails arrive as the events that
 * they are recorded with. A contact with several signals is evaluated once for all of them.
 */
export function segmentSubscribers(triggers: TriggerIndex, reevaluate: Reevaluate): Subscriber[] {
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
        for (const [projectId, contacts] of projects) await reevaluate(unit, projectId, contacts)
      },
    },
  ]
}
