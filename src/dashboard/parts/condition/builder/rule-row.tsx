import { ActionIcon, Menu } from "@mantine/core"
import { IconCopy, IconDots, IconGitBranch, IconX } from "@tabler/icons-react"
import { useRef } from "react"
import type { Logic } from "../../../api/conditions.ts"
import { aboutField, type Rule } from "../model/draft.ts"
import { fieldRef } from "../model/fields.ts"
import type { RuleFault } from "../model/write.ts"
import styles from "./builder.module.css"
import type { Catalogue } from "./catalogue.ts"
import { Comparison } from "./comparison.tsx"
import { FieldPicker } from "./field-picker.tsx"

interface RuleRowProps {
  rule: Rule
  /** The logic that joins it with its neighbours. */
  logic: Logic
  catalogue: Catalogue
  fault: RuleFault | undefined
  onEdit(rule: Rule): void
  onRemove(): void
  onDuplicate(): void
  onAlternative(): void
}

/** One condition in one line: field, operator and value. */
export function RuleRow({ rule, logic, catalogue, fault, onEdit, ...actions }: RuleRowProps) {
  const type = catalogue.typeOf(rule.field)
  const ref = fieldRef(rule.field)
  const lost = catalogue.choiceOf(rule.field)?.isKnown === false && ref?.kind === "segment"
  const line = useRef<HTMLDivElement>(null)
  const message = lost ? "This segment was deleted: nobody matches." : fault?.message
  return (
    <div ref={line} className={styles.rule} data-rule={rule.id}>
      <div className={styles.line}>
        <div className={styles.parts}>
          <FieldPicker
            field={rule.field}
            catalogue={catalogue}
            fault={fault?.part === "field" ? fault.message : undefined}
            onField={(field) => {
              onEdit(aboutField(rule, field, catalogue.typeOf(field)))
              requestAnimationFrame(() => focusValue(line.current))
            }}
          />
          <Comparison rule={rule} type={type} fault={fault} onEdit={onEdit} />
        </div>
        <span className={styles.actions}>
          <RuleMenu logic={logic} {...actions} />
          <ActionIcon variant="subtle" color="gray" size={30} aria-label="Remove condition" onClick={actions.onRemove}>
            <IconX size={15} stroke={1.7} />
          </ActionIcon>
        </span>
      </div>
      {message && (
        <p className={styles.fault} role={fault ? "alert" : undefined}>
          {message}
        </p>
      )}
      {!message && ref?.kind === "data" && isRelative(rule.operator) && (
        <p className={styles.note}>Times such as 2026-07-20T09:30:00Z are found, days alone are not.</p>
      )}
    </div>
  )
}

/** Whether an operator compares a time with now (contract B2.4.15). */
const isRelative = (operator: string): boolean => operator === "within" || operator === "olderThan"

/** Focuses the value, which is missing once the field is chosen, or the operator if there is no value. */
function focusValue(line: HTMLElement | null): void {
  const value = line?.querySelector<HTMLElement>("[data-value] :is(input, select):not([type=hidden])")
  const next = value ?? line?.querySelector<HTMLElement>("select")
  next?.focus()
}

function RuleMenu({
  logic,
  onDuplicate,
  onAlternative,
}: Pick<RuleRowProps, "logic" | "onDuplicate" | "onAlternative">) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label="Condition actions">
          <IconDots size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconGitBranch size={15} stroke={1.6} />} onClick={onAlternative}>
          {logic === "AND" ? "Or something else…" : "And also…"}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={15} stroke={1.6} />} onClick={onDuplicate}>
          Duplicate
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
