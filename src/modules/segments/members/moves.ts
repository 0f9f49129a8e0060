import type { Unit } from "../../../store/writer.ts"
import type { RecordAlike } from "../../events/index.ts"
import { eventOf, type Move } from "../rules.ts"
import type { Rule } from "../store.ts"
import { addMembers, removeMembers } from "./store.ts"

/** Membership and its events (contract B3.4.4): a join or a leave and what is told of it are of one unit. */
export function memberMoves(recordAlike: RecordAlike) {
  /** Tells of contacts that have just come or gone, where the segment is one to tell of. */
  async function tell(unit: Unit, segment: Rule, move: Move, contacts: readonly string[]): Promise<void> {
    if (!segment.trackMembership) return
    const { id: segmentId, name: segmentName, projectId } = segment
    const name = eventOf(segment, move)
    await recordAlike(unit, { projectId, name, data: { segmentId, segmentName } }, contacts)
  }

  return {
    /** Adds contacts; resolves to how many really joined. */
    async join(unit: Unit, segment: Rule, contacts: readonly string[]): Promise<number> {
      const joined = contacts.length === 0 ? [] : await addMembers(unit, segment.id, contacts)
      await tell(unit, segment, "entry", joined)
      return joined.length
    },

    /** Takes contacts out; resolves to how many really left. */
    async leave(unit: Unit, segment: Rule, contacts: readonly string[]): Promise<number> {
      const left = contacts.length === 0 ? [] : await removeMembers(unit, segment.id, contacts)
      await tell(unit, segment, "exit", left)
      return left.length
    },
  }
}

export type MemberMoves = ReturnType<typeof memberMoves>
