import { faultyCondition } from "../../conditions/index.ts"
import type { Engine } from "../../engine.ts"
import type { Contact } from "../contacts/index.ts"
import type { LiveContacts } from "./evaluate/live.ts"
import type { Trees } from "./evaluate/trees.ts"
import { readSent } from "./sent-condition.ts"

/** Contacts that are shown of those who match. */
const shown = 10

export interface ConditionPreview {
  readonly count: number
  /** The newest of them. */
  readonly contacts: readonly Contact[]
}

interface Parts extends Pick<Engine, "store"> {
  readonly live: LiveContacts
  readonly trees: Trees
}

/** Whom a condition matches now, stored or not. Throws 400 with all its faults (contract B2.5). */
export const previewAction =
  ({ store, live, trees }: Parts) =>
  async (projectId: string, sent: unknown): Promise<ConditionPreview> => {
    const read = await readSent(store.read, projectId, sent, "condition", trees)
    if ("faults" in read) throw faultyCondition(read.faults)
    const condition = JSON.stringify(read.condition)
    const rule = { id: "", name: "", projectId, type: "DYNAMIC", trackMembership: false, condition } as const
    const { rows, total } = await live.list(rule, { page: 1, pageSize: shown, offset: 0 })
    return { count: total, contacts: rows }
  }
