import type { Unit } from "../../../store/writer.ts"
import type { RecordForEach } from "../../events/index.ts"
import { eventOf, type MembershipEvent } from "../rules.ts"
import type { Rule } from "../store.ts"
import { addMembers, removeMembers } from "./store.ts"

/** How many contacts joined and left. */
export interface MembershipChange {
  readonly added: number
  readonly removed: number
}

/** Changes recorded membership; each real join and leave is stored with its event in one unit (contract B3.4.4). */
export function createMembership(recordForEach: RecordForEach) {
  async function recordEvents(unit: Unit, segment: Rule, kind: MembershipEvent, contacts: readonly string[]) {
    if (!segment.trackMembership) return
    const { id: segmentId, name: segmentName, projectId } = segment
    const name = eventOf(segment, kind)
    await recordForEach(unit, { projectId, name, data: { segmentId, segmentName } }, contacts)
  }

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
  }
}

export type Membership = ReturnType<typeof createMembership>
