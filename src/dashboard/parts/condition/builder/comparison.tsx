import { NativeSelect } from "@mantine/core"
import { type Rule, withOperator } from "../model/draft.ts"
import { fieldRef } from "../model/fields.ts"
import { type DataType, formatOperator, operatorsFor } from "../model/operators.ts"
import type { RuleFault } from "../model/write.ts"
import styles from "./builder.module.css"
import { ValueInput } from "./value-input.tsx"

interface ComparisonProps {
  rule: Rule
  /** Of the rule's field. */
  type: DataType
  fault: RuleFault | undefined
  onEdit(rule: Rule): void
}

/** The operator of a rule and its operand; nothing until a field is chosen. */
export function Comparison({ rule, type, fault, onEdit }: ComparisonProps) {
  const ref = fieldRef(rule.field)
  if (!ref) return null
  return (
    <>
      <NativeSelect
        className={styles.operator ?? ""}
        size="sm"
        aria-label="Operator"
        error={fault?.part === "operator"}
        data={operatorsFor(ref.kind, type, rule.operator).map((operator) => ({
          value: operator,
          label: formatOperator(operator, ref.kind, type ?? (rule.value.kind === "date" ? "date" : undefined)),
        }))}
        value={rule.operator}
        onChange={(event) => onEdit(withOperator(rule, event.currentTarget.value, type))}
      />
      <ValueInput
        rule={rule}
        invalid={fault?.part === "value" || fault?.part === "unit"}
        onEdit={(part) => onEdit({ ...rule, ...part })}
      />
    </>
  )
}
