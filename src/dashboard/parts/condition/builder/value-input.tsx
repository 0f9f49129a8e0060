import { NativeSelect, TextInput } from "@mantine/core"
import type { ReactNode } from "react"
import type { Rule } from "../model/draft.ts"
import { fieldRef } from "../model/fields.ts"
import { behindSpan, needsOf, type Unit, units } from "../model/operators.ts"
import { asKind, type Value, valueKindsOf } from "../model/values.ts"
import styles from "./builder.module.css"
import { DateInput } from "./date-input.tsx"
import { KindMenu, leading } from "./kind-menu.tsx"
import { SuggestInput } from "./suggest-input.tsx"

interface ValueInputProps {
  rule: Rule
  invalid: boolean
  onEdit(part: Partial<Rule>): void
}

/** The operand of the operator: nothing, a span, or a value of the field's type. */
export function ValueInput({ rule, invalid, onEdit }: ValueInputProps) {
  const ref = fieldRef(rule.field)
  if (!ref) return null
  switch (needsOf(rule.operator)) {
    case "nothing":
      return null
    case "span":
      return <SpanInput rule={rule} invalid={invalid} onEdit={onEdit} />
    case "value": {
      const { value } = rule
      const kinds = valueKindsOf(ref.kind, rule.operator)
      const edit = (part: Partial<Value>) => onEdit({ value: { ...value, ...part } })
      const menu = (kinds.length > 1 || !kinds.includes(value.kind)) && (
        <KindMenu kind={value.kind} offered={kinds} onKind={(kind) => onEdit({ value: asKind(value, kind) })} />
      )
      return (
        <div
          className={styles.value}
          data-value
          data-short={value.kind === "boolean" || value.kind === "date" || undefined}
        >
          <Typed rule={rule} invalid={invalid} menu={menu} onEdit={edit} />
        </div>
      )
    }
  }
}

function SpanInput({ rule, invalid, onEdit }: ValueInputProps) {
  const behind = behindSpan(rule.operator)
  return (
    <div className={styles.value} data-value data-short>
      <TextInput
        className={styles.amount ?? ""}
        size="sm"
        inputMode="numeric"
        aria-label="How many"
        error={invalid}
        value={rule.amount}
        onChange={(event) => onEdit({ amount: event.currentTarget.value })}
      />
      <NativeSelect
        className={styles.unit ?? ""}
        size="sm"
        aria-label="Unit"
        data={[...units]}
        value={rule.unit}
        onChange={({ currentTarget: { value } }) => onEdit({ unit: unitOf(value) })}
      />
      {behind && <span className={styles.hint}>{behind}</span>}
    </div>
  )
}

const unitOf = (text: string): Unit => units.find((unit) => unit === text) ?? "days"

interface TypedProps {
  rule: Rule
  invalid: boolean
  /** Changes the type of the value; false if there is only one. */
  menu: ReactNode
  onEdit(part: Partial<Value>): void
}

function Typed({ rule, invalid, menu, onEdit }: TypedProps) {
  const { field, operator, value } = rule
  switch (value.kind) {
    case "boolean":
      return (
        <NativeSelect
          className={styles.choice ?? ""}
          size="sm"
          aria-label="Value"
          {...leading(menu)}
          data={["yes", "no"]}
          value={value.on ? "yes" : "no"}
          onChange={(event) => onEdit({ on: event.currentTarget.value === "yes" })}
        />
      )
    case "date":
      return (
        <DateInput text={value.text} invalid={invalid} leading={leading(menu)} onText={(text) => onEdit({ text })} />
      )
    case "nothing":
      return (
        <>
          {menu}
          <span className={styles.hint}>nothing, which nobody matches</span>
        </>
      )
    case "empty":
      return (
        <>
          {menu}
          <span className={styles.hint}>the empty text</span>
        </>
      )
    case "number":
    case "string":
      return field.startsWith("data.") && (operator === "equals" || operator === "notEquals") ? (
        <SuggestInput
          field={field}
          value={value}
          invalid={invalid}
          leading={leading(menu)}
          onText={(text) => onEdit({ text })}
        />
      ) : (
        <TextInput
          className={styles.text ?? ""}
          size="sm"
          aria-label="Value"
          {...leading(menu)}
          error={invalid}
          inputMode={value.kind === "number" ? "decimal" : "text"}
          placeholder={field === "email" ? (operator.endsWith("quals") ? "ada@example.com" : "@example.com") : "Value"}
          value={value.text}
          onChange={(event) => onEdit({ text: event.currentTarget.value })}
        />
      )
  }
}
