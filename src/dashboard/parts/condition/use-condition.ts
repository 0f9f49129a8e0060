import { useMemo, useState } from "react"
import type { ConditionJson } from "../../api/conditions.ts"
import type { FieldFault } from "../../api/http.ts"
import { type JsonReading, readPlaces } from "../code/json-positions.ts"
import { sayFault } from "./faults.ts"
import { type Block, newBlock } from "./model/draft.ts"
import { draftOf, readCondition } from "./model/read.ts"
import { type RuleFault, writeCondition } from "./model/write.ts"

/** A condition while it is edited, rule by rule or as JSON. */
export interface ConditionState {
  readonly draft: Block
  /** As JSON: what was typed, or else what the draft says. */
  readonly text: string
  readonly reading: JsonReading
  /** Why the JSON cannot be shown as rules; null when it can. */
  readonly unreadable: string | null
  /** What rules lack, by their id. */
  readonly lacking: ReadonlyMap<string, RuleFault>
  /** What can be sent; null while something is lacking or the JSON cannot be read. */
  readonly condition: unknown
  /** Whether it says something else than the stored one. */
  readonly isChanged: boolean
  edit(draft: Block): void
  write(text: string): void
  reset(stored: ConditionJson | null): void
  /** What the server refused about single rules, by their id. */
  faultsOf(faults: readonly FieldFault[]): ReadonlyMap<string, RuleFault>
}

interface Edited {
  readonly draft: Block
  readonly text: string | null
}

const editedOf = (stored: ConditionJson | null): Edited => ({
  draft: stored ? draftOf(stored) : newBlock("AND", []),
  text: null,
})

const printed = (condition: unknown): string => JSON.stringify(condition, null, 2)

export function useCondition(stored: ConditionJson | null): ConditionState {
  const [edited, setEdited] = useState(() => editedOf(stored))
  const { draft } = edited
  const writing = useMemo(() => writeCondition(draft), [draft])
  const text = edited.text ?? printed(writing.condition)
  const reading = useMemo(() => readPlaces(text), [text])
  const shown = useMemo(() => ("value" in reading ? readCondition(reading.value) : null), [reading])
  const isSame = useMemo(() => stored !== null && saysThe(stored, reading), [stored, reading])

  // a condition that changed elsewhere is shown, unless something was changed here
  const [before, setBefore] = useState(stored)
  if (before !== stored) {
    setBefore(stored)
    const wasSame = before !== null && saysThe(before, reading)
    if (stored && wasSame && !saysThe(stored, reading)) setEdited(editedOf(stored))
  }

  const isTyped = edited.text !== null
  const lacking = isTyped ? none : writing.faults
  const typed = "value" in reading ? reading.value : null
  const written = lacking.size === 0 && draft.items.length > 0 ? writing.condition : null
  const condition = isTyped ? typed : written
  const isChanged = stored ? !isSame || lacking.size > 0 : isTyped || draft.items.length > 0

  return {
    draft,
    text,
    reading,
    unreadable: isTyped ? whyUnreadable(reading, shown) : null,
    lacking,
    condition,
    isChanged,
    edit: (changed) => setEdited({ draft: changed, text: null }),
    write: (changed) => {
      const read = readPlaces(changed)
      const next = "value" in read ? readCondition(read.value) : null
      setEdited({ draft: next && "draft" in next ? next.draft : draft, text: changed })
    },
    reset: (wanted) => setEdited(editedOf(wanted)),
    faultsOf: (faults) => faultsByRule(faults, writing.places),
  }
}

/** Whether the text says the same as a condition, whichever view it was written in. */
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
function faultsByRule(faults: readonly FieldFault[], places: ReadonlyMap<string, string>): Map<string, RuleFault> {
  const found = new Map<string, RuleFault>()
  for (const fault of faults) {
    const [, path, part] = /^(.*\.filters\.\d+)(?:\.(\w+))?$/.exec(fault.field) ?? []
    const id = path && places.get(path)
    if (id && !found.has(id)) found.set(id, { part: partOf(part), message: sayFault(fault) })
  }
  return found
}

const partOf = (name: string | undefined): RuleFault["part"] =>
  name === "operator" || name === "value" || name === "unit" ? name : "field"
