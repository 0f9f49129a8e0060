import type { Subscriber } from "../../../bus/bus.ts"
import { isSignal, type Signal } from "../../../bus/signal.ts"
import { contactChanged } from "../../contacts/index.ts"
import { eventRecorded } from "../../events/index.ts"
import type { Reconsider } from "./reconsider.ts"
import type { Watch } from "./watch.ts"

type Payload = { readonly contactId: string | null; readonly name?: string }

/**
 * Tracked membership follows contacts (contract B3.4.3). Times of mails are reported by the events that they come with.
 * A contact that much happened to is looked at once for all of it.
 */
export function segmentReactions(watch: Watch, reconsider: Reconsider): Subscriber[] {
  const concerns = (projectId: string, payload: unknown): boolean => {
    const { contactId, name } = payload as Payload
    if (contactId === null) return false
    return name === undefined ? watch.concernsChange(projectId) : watch.concernsEvent(projectId, name)
  }

  const contactOf = (signal: Signal): string | null =>
    isSignal(signal, contactChanged) || isSignal(signal, eventRecorded) ? (signal.payload?.contactId ?? null) : null

  return [
    {
      name: "segments.membership",
      on: [contactChanged, eventRecorded],
      concerns,
      // Each may be looked at for a hundred segments.
      atOnce: 25,
      async handle(signals, unit) {
        const projects = new Map<string, Set<string>>()
        for (const signal of signals) {
          const contactId = contactOf(signal)
          if (contactId === null || !concerns(signal.projectId, signal.payload)) continue
          const contacts = projects.get(signal.projectId) ?? new Set<string>()
          projects.set(signal.projectId, contacts.add(contactId))
        }
        for (const [projectId, contacts] of projects) await reconsider(unit, projectId, contacts)
      },
    },
  ]
}
