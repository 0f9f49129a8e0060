import { Button, UnstyledButton } from "@mantine/core"
import { useMemo, useRef } from "react"
import type { FieldFault } from "../../../api/http.ts"
import { lazy } from "../../../ui/on-demand.tsx"
import type { JsonEditorProps, PositionedFault } from "../../code/json-editor.tsx"
import type { Suggestions } from "../../code/json-language.ts"
import type { JsonReading } from "../../code/json-positions.ts"
import { EditorLoading, LazyEditor } from "../../code/lazy-editor.tsx"
import { useCatalogue } from "../builder/catalogue.ts"
import { formatFault } from "../faults.ts"
import { fieldRef } from "../model/fields.ts"
import { operatorsOf } from "../model/operators.ts"
import type { ConditionState } from "../use-condition.ts"
import styles from "./json-view.module.css"

const JsonEditor = lazy(() => import("../../code/json-editor.tsx"), EditorLoading)

interface JsonViewProps {
  state: ConditionState
  /** The faults that the server found. */
  faults: readonly FieldFault[]
  ownId?: string | undefined
}

/** The condition as it goes over the wire, to be read, written and pasted. */
export default function JsonView({ state, faults, ownId }: JsonViewProps) {
  const { text, reading, write } = state
  const catalogue = useCatalogue(ownId)
  const goTo = useRef<((offset: number) => void) | null>(null)
  const positioned = useMemo(() => positionedFaults(reading, faults), [reading, faults])
  const suggestions = useMemo(
    (): Suggestions => ({
      fields: catalogue.groups.flatMap(({ choices }) => choices),
      operatorsOf: (field) => operatorsOf(fieldRef(field)?.kind ?? "data"),
    }),
    [catalogue],
  )
  const editor: JsonEditorProps = {
    value: text,
    onChange: write,
    faults: positioned,
    suggestions,
    onReady: (way) => {
      goTo.current = way
    },
  }
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length
  return (
    <div className={styles.json}>
      <div className={styles.code} data-fault={positioned.length > 0 || undefined}>
        <LazyEditor label="Condition as JSON" value={text} onChange={write}>
          <JsonEditor {...editor} />
        </LazyEditor>
      </div>
      <div className={styles.foot}>
        {positioned.length > 0 ? (
          <ul className={styles.faults} aria-label="What is wrong">
            {positioned.map(({ from, message }) => (
              <li key={`${from}${message}`}>
                <UnstyledButton className={styles.fault ?? ""} onClick={() => goTo.current?.(from)}>
                  <span className={styles.line}>Line {lineOf(from)}</span>
                  {message}
                </UnstyledButton>
              </li>
            ))}
          </ul>
        ) : (
          <span className={styles.note}>The same condition as programs send it. Either view follows the other.</span>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          disabled={"fault" in reading}
          onClick={() => "value" in reading && write(JSON.stringify(reading.value, null, 2))}
        >
          Format
        </Button>
      </div>
    </div>
  )
}

function positionedFaults(reading: JsonReading, faults: readonly FieldFault[]): readonly PositionedFault[] {
  if ("fault" in reading) return [reading.fault]
  return faults
    .filter(({ field }) => field === "condition" || field.startsWith("condition."))
    .map((fault) => ({ ...reading.positionOf(fault.field.slice("condition.".length)), message: formatFault(fault) }))
}
