import { faultyCondition } from "../../conditions/index.ts"
import type { Engine } from "../../engine.ts"
import type { Contact } from "../contacts/index.ts"
import { checkCondition } from "./check-condition.ts"
import type { LiveContacts } from "./evaluate/live.ts"
import type { Trees } from "./evaluate/trees.ts"

/** Matching contacts in a preview. */
const maxContacts = 10

interface ConditionPreview {
  readonly count: number
  /** The newest matching contacts. */
  readonly contacts: readonly Contact[]
}

interface PreviewDeps extends Pick<Engine, "store"> {
  readonly live: LiveContacts
  readonly trees: Trees
}

/** Evaluates a condition that need not be stored. @throws {DomainError} 400 with all its faults (contract B2.5) */
export const createPreview =
  ({ store, live, trees }: PreviewDeps) =>
  async (projectId: string, sent: unknown): Promise<ConditionPreview> => {
    const checked = await checkCondition(store.read, projectId, sent, "condition", trees)
    if ("faults" in checked) throw faultyCondition(checked.faults)
    const condition = JSON.stringify(checked.condition)
    const rule = { id: "", name: "", projectId, type: "DYNAMIC", trackMembership: false, condition } as const
    const { rows, total } = await live.list(rule, { page: 1, pageSize: maxContacts, offset: 0 })
    return { count: total, contacts: rows }
  }

export type Preview = ReturnType<typeof createPreview>
