import type { Engine } from "../../../engine.ts"
import { parseAddress } from "../../../kernel/email-address.ts"
import { malformed, notFound } from "../../../kernel/errors.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contacts } from "../../contacts/index.ts"
import { findRule, type Rule } from "../store.ts"
import { findIds } from "./addresses.ts"
import type { MemberMoves } from "./moves.ts"

/** What is to be done about addresses that no contact has. */
export interface Creation {
  readonly createMissing: boolean
  /** The state of contacts that are created. */
  readonly subscribed: boolean
}

export interface Added {
  readonly added: number
  readonly created: number
  readonly notFound: readonly string[]
}

/** Addresses that one unit of work is about. */
const slice = 200

interface Parts extends Pick<Engine, "store"> {
  readonly contacts: Contacts
  readonly moves: MemberMoves
  /** Counts the members of a segment anew and stores how many they are. */
  renewCount(projectId: string, segmentId: string): Promise<unknown>
}

/** The members of STATIC segments, as somebody lists them (contract B3.3). */
export function memberActions({ store, contacts, moves, renewCount }: Parts) {
  /** Throws 404, and 400 for a segment that finds its members itself. */
  async function staticRule(db: Db, projectId: string, segmentId: string): Promise<Rule> {
    const rule = await findRule(db, projectId, segmentId)
    if (rule === undefined) throw notFound("Segment", segmentId)
    if (rule.type !== "STATIC") throw malformed("The members of a DYNAMIC segment follow from its condition.")
    return rule
  }

  /** Goes through addresses, each once and as first given, in units of a bounded number. */
  async function through<T>(
    projectId: string,
    segmentId: string,
    given: readonly string[],
    work: (unit: Unit, rule: Rule, asked: ReadonlyMap<string, string>) => Promise<T>,
  ): Promise<T[]> {
    await staticRule(store.read, projectId, segmentId)
    const asked = new Map<string, string>()
    for (const text of given) {
      const email = parseAddress(text) ?? text
      if (!asked.has(email)) asked.set(email, text)
    }
    const all = [...asked]
    const results: T[] = []
    for (let from = 0; from < all.length; from += slice) {
      const part = new Map(all.slice(from, from + slice))
      results.push(
        await store.write(projectId, async (unit) => work(unit, await staticRule(unit.db, projectId, segmentId), part)),
      )
      await yieldToEventLoop()
    }
    await renewCount(projectId, segmentId)
    return results
  }

  async function addSome(
    unit: Unit,
    rule: Rule,
    asked: ReadonlyMap<string, string>,
    { createMissing, subscribed }: Creation,
  ): Promise<Added> {
    const known = await findIds(unit.db, rule.projectId, asked.keys())
    const missing = [...asked].filter(([email]) => !known.has(email))
    const members = [...known.values()]
    if (createMissing)
      for (const [email] of missing) {
        const wanted = { email, subscribedWhenNew: subscribed }
        members.push((await contacts.upsertIn(unit, rule.projectId, wanted)).contact.id)
      }
    await moves.join(unit, rule, members)
    return {
      added: members.length,
      created: createMissing ? missing.length : 0,
      notFound: createMissing ? [] : missing.map(([, text]) => text),
    }
  }

  return {
    async add(projectId: string, segmentId: string, given: readonly string[], creation: Creation): Promise<Added> {
      const parts = await through(projectId, segmentId, given, (unit, rule, asked) =>
        addSome(unit, rule, asked, creation),
      )
      return {
        added: parts.reduce((sum, { added }) => sum + added, 0),
        created: parts.reduce((sum, { created }) => sum + created, 0),
        notFound: parts.flatMap((part) => part.notFound),
      }
    },

    /** Resolves to how many were members. */
    async remove(projectId: string, segmentId: string, given: readonly string[]): Promise<number> {
      const parts = await through(projectId, segmentId, given, async (unit, rule, asked) => {
        const known = await findIds(unit.db, projectId, asked.keys())
        return moves.leave(unit, rule, [...known.values()])
      })
      return parts.reduce((sum, left) => sum + left, 0)
    },
  }
}

export type MemberActions = ReturnType<typeof memberActions>
