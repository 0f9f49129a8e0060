import type { Engine } from "../../../engine.ts"
import { parseAddress } from "../../../kernel/email-address.ts"
import { malformed, notFound } from "../../../kernel/errors.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contacts } from "../../contacts/index.ts"
import { findRule, type Rule } from "../store.ts"
import { findIds } from "./addresses.ts"
import type { Membership } from "./membership.ts"

/** How to handle addresses without a contact. */
interface Creation {
  readonly createMissing: boolean
  /** The state of created contacts. */
  readonly subscribed: boolean
}

interface Added {
  readonly added: number
  readonly created: number
  readonly notFound: readonly string[]
}

/** Addresses by canonical form, each as it was sent. */
type Addresses = ReadonlyMap<string, string>

/** Addresses that one unit of work handles. */
const sliceSize = 200

interface MemberDeps extends Pick<Engine, "store"> {
  readonly contacts: Contacts
  readonly membership: Membership
  /** Counts the members of a segment again and stores the number. */
  renewCount(projectId: string, segmentId: string): Promise<unknown>
}

/** The members of STATIC segments (contract B3.3). */
export function createMemberActions({ store, contacts, membership, renewCount }: MemberDeps) {
  /** @throws {DomainError} 404, and 400 for a DYNAMIC segment */
  async function getStatic(db: Db, projectId: string, segmentId: string): Promise<Rule> {
    const rule = await findRule(db, projectId, segmentId)
    if (rule === undefined) throw notFound("Segment", segmentId)
    if (rule.type !== "STATIC") throw malformed("The members of a DYNAMIC segment follow from its condition.")
    return rule
  }

  /** Handles addresses, duplicates removed, in units of a bounded number; then renews the count. */
  async function forEachSlice<T>(
    projectId: string,
    segmentId: string,
    sent: readonly string[],
    work: (unit: Unit, rule: Rule, addresses: Addresses) => Promise<T>,
  ): Promise<T[]> {
    await getStatic(store.read, projectId, segmentId)
    const addresses = new Map<string, string>()
    for (const text of sent) {
      const email = parseAddress(text) ?? text
      if (!addresses.has(email)) addresses.set(email, text)
    }
    const all = [...addresses]
    const results: T[] = []
    for (let from = 0; from < all.length; from += sliceSize) {
      const slice = new Map(all.slice(from, from + sliceSize))
      results.push(
        await store.write(projectId, async (unit) => work(unit, await getStatic(unit.db, projectId, segmentId), slice)),
      )
      await yieldToEventLoop()
    }
    await renewCount(projectId, segmentId)
    return results
  }

  async function addSlice(
    unit: Unit,
    rule: Rule,
    addresses: Addresses,
    { createMissing, subscribed }: Creation,
  ): Promise<Added> {
    const known = await findIds(unit.db, rule.projectId, addresses.keys())
    const missing = [...addresses].filter(([email]) => !known.has(email))
    const members = [...known.values()]
    if (createMissing)
      for (const [email] of missing) {
        const wanted = { email, subscribedWhenNew: subscribed }
        members.push((await contacts.upsertIn(unit, rule.projectId, wanted)).contact.id)
      }
    await membership.join(unit, rule, members)
    return {
      added: members.length,
      created: createMissing ? missing.length : 0,
      notFound: createMissing ? [] : missing.map(([, text]) => text),
    }
  }

  return {
    async add(projectId: string, segmentId: string, sent: readonly string[], creation: Creation): Promise<Added> {
      const slices = await forEachSlice(projectId, segmentId, sent, (unit, rule, addresses) =>
        addSlice(unit, rule, addresses, creation),
      )
      return {
        added: slices.reduce((sum, { added }) => sum + added, 0),
        created: slices.reduce((sum, { created }) => sum + created, 0),
        notFound: slices.flatMap((slice) => slice.notFound),
      }
    },

    /** Resolves to the number of addresses that were members. */
    async remove(projectId: string, segmentId: string, sent: readonly string[]): Promise<number> {
      const slices = await forEachSlice(projectId, segmentId, sent, async (unit, rule, addresses) => {
        const known = await findIds(unit.db, projectId, addresses.keys())
        return membership.leave(unit, rule, [...known.values()])
      })
      return slices.reduce((sum, left) => sum + left, 0)
    },
  }
}

export type MemberActions = ReturnType<typeof createMemberActions>
