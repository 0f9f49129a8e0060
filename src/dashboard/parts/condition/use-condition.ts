import { useMemo } from "react"
import type { ConditionJson } from "../../api/conditions.ts"
import type { FieldFault } from "../../api/http.ts"
import { type JsonReading, readPositions } from "../code/json-positions.ts"
import { formatFault } from "./faults.ts"
import { type Block, newBlock } from "./model/draft.ts"
import { draftOf, readCondition } from "./model/read.ts"
import { type RuleFault, writeCondition } from "./model/write.ts"

/** A condition while it is edited, rule by rule or as JSON. */
export interface ConditionState {
  readonly draft: Block
  /** The JSON: as typed, or else that of the draft. */
  readonly text: string
  readonly reading: JsonReading
  /** Why the JSON cannot be shown as rules; null when it can. */
  readonly unreadable: string | null
  /** The faults of incomplete rules, by their id. */
  readonly lacking: ReadonlyMap<string, RuleFault>
  /**
   * The condition to send; null while it is incomplete or the JSON is invalid. Only the server can tell whether typed
   * JSON is a condition.
   */
  readonly condition: ConditionJson | null
  /** Whether it differs from the stored one. */
  readonly isChanged: boolean
  edit(draft: Block): void
  write(text: string): void
  /** The server's faults of single rules, by their id. */
  faultsOf(faults: readonly FieldFault[]): ReadonlyMap<string, RuleFault>
}

/** The edited content: rules, and the JSON if that was edited last. */
export interface ConditionContent {
  readonly draft: Block
  readonly text: string | null
}

/** The draft of a stored condition. `before` is kept if it is equivalent, or if none is stored. */
export function conditionContent(stored: ConditionJson | null, before?: ConditionContent): ConditionContent {
  if (before && (stored === null || saysThe(stored, readingOf(before)))) return before
  return { draft: stored ? draftOf(stored) : newBlock("AND", []), text: null }
}

/** Whether it differs from the stored one, or is incomplete. */
export function isConditionChanged(content: ConditionContent, stored: ConditionJson | null): boolean {
  const { draft, text } = content
  if (stored === null) return text !== null || draft.items.length > 0
  return !saysThe(stored, readingOf(content)) || (text === null && writeCondition(draft).faults.size > 0)
}

/** The condition to send; null while it is incomplete or the JSON is invalid. */
export function conditionOf({ draft, text }: ConditionContent): ConditionJson | null {
  if (text !== null) {
    const reading = readPositions(text)
    return "value" in reading ? (reading.value as ConditionJson | null) : null
  }
  const writing = writeCondition(draft)
  return writing.faults.size === 0 && draft.items.length > 0 ? writing.condition : null
}

const readingOf = ({ draft, text }: ConditionContent): JsonReading =>
  readPositions(text ?? printed(writeCondition(draft).condition))

const printed = (condition: unknown): string => JSON.stringify(condition, null, 2)

export function useCondition(
  content: ConditionContent,
  stored: ConditionJson | null,
  onChange: (content: ConditionContent) => void,
): ConditionState {
  const { draft } = content
  const writing = useMemo(() => writeCondition(draft), [draft])
  const text = content.text ?? printed(writing.condition)
  const reading = useMemo(() => readPositions(text), [text])
  const shown = useMemo(() => ("value" in reading ? readCondition(reading.value) : null), [reading])
  const condition = useMemo(() => conditionOf(content), [content])
  const isChanged = useMemo(() => isConditionChanged(content, stored), [content, stored])
  const isTyped = content.text !== null

  return {
    draft,
    text,
    reading,
    unreadable: isTyped ? whyUnreadable(reading, shown) : null,
    lacking: isTyped ? none : writing.faults,
    condition,
    isChanged,
    edit: (changed) => onChange({ draft: changed, text: null }),
    write: (changed) => {
      const read = readPositions(changed)
      const next = "value" in read ? readCondition(read.value) : null
      onChange({ draft: next && "draft" in next ? next.draft : draft, text: changed })
    },
    faultsOf: (faults) => faultsByRule(faults, writing.ruleIds),
  }
}

/** Whether the text is equivalent to a condition, in either view. */
function saysThe(condition: ConditionJson, reading: JsonReading): boolean {
  if ("fault" in reading) return false
  return [condition, writeCondition(draftOf(condition)).condition].map(printed).includes(printed(reading.value))
}

const none: ReadonlyMap<string, RuleFault> = new Map()

function whyUnreadable(reading: JsonReading, shown: ReturnType<typeof readCondition> | null): string | null {
  if ("fault" in reading) return reading.fault.message
  return shown && "faults" in shown ? (shown.faults[0]?.message ?? null) : null
}

/** A fault belongs to the rule that its path is within. */
function faultsByRule(faults: readonly FieldFault[], ruleIds: ReadonlyMap<string, string>): Map<string, RuleFault> {
  const found = new Map<string, RuleFault>()
  for (const fault of faults) {
    const [, path, part] = /^(.*\.filters\.\d+)(?:\.(\w+))?$/.exec(fault.field) ?? []
    const id = path && ruleIds.get(path)
    if (id && !found.has(id)) found.set(id, { part: partOf(part), message: formatFault(fault) })
  }
  return found
}

const partOf = (name: string | undefined): RuleFault["part"] =>
  name === "operator" || name === "value" || name === "unit" ? name : "field"
