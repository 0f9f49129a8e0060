import type { Unit } from "../../../store/writer.ts"
import type { Contact } from "../../contacts/index.ts"
import type { RecordMany } from "../../events/index.ts"
import { eventOf, type MembershipEvent } from "../rules.ts"
import type { Rule } from "../store.ts"
import { addMembers, addToSegments, removeFromSegments, removeMembers } from "./store.ts"

/** How many contacts joined and left. */
export interface MembershipChange {
  readonly added: number
  readonly removed: number
}

/** A segment that a contact has come to match, or no longer matches. */
export interface Move {
  readonly segment: Rule
  readonly kind: MembershipEvent
}

/** Changes recorded membership; each real join and leave is stored with its event in one unit (contract B3.4.4). */
export function createMembership({ recordForEach, recordOfContact }: RecordMany) {
  async function recordEvents(unit: Unit, segment: Rule, kind: MembershipEvent, contacts: readonly string[]) {
    if (!segment.trackMembership) return
    await recordForEach(unit, { projectId: segment.projectId, ...eventFor(segment, kind) }, contacts)
  }

  const eventFor = (segment: Rule, kind: MembershipEvent) => ({
    name: eventOf(segment, kind),
    data: { segmentId: segment.id, segmentName: segment.name },
  })

  return {
    /** Adds contacts; resolves to the number of those that were not members. */
    async join(unit: Unit, segment: Rule, contacts: readonly string[]): Promise<number> {
      const joined = contacts.length === 0 ? [] : await addMembers(unit, segment.id, contacts)
      await recordEvents(unit, segment, "entry", joined)
      return joined.length
    },

    /** Removes contacts; resolves to the number of those that were members. */
    async leave(unit: Unit, segment: Rule, contacts: readonly string[]): Promise<number> {
      const left = contacts.length === 0 ? [] : await removeMembers(unit, segment.id, contacts)
      await recordEvents(unit, segment, "exit", left)
      return left.length
    },

    /** Moves one contact into and out of segments of its project. */
    async move(unit: Unit, contact: Pick<Contact, "id" | "projectId">, moves: readonly Move[]): Promise<void> {
      const idsOf = (kind: MembershipEvent) => moves.flatMap((move) => (move.kind === kind ? [move.segment.id] : []))
      const entered = await addToSegments(unit, contact.id, idsOf("entry"))
      const moved = new Set([...entered, ...(await removeFromSegments(unit, contact.id, idsOf("exit")))])
      const told = moves.filter(({ segment }) => segment.trackMembership && moved.has(segment.id))
      const events = told.map(({ segment, kind }) => eventFor(segment, kind))
      await recordOfContact(unit, { projectId: contact.projectId, contactId: contact.id }, events)
    },
  }
}

export type Membership = ReturnType<typeof createMembership>
