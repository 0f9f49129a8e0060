import { ActionIcon, Button, SegmentedControl, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useState } from "react"
import type { FilterJson } from "../../../../api/conditions.ts"
import type { Data } from "../../../../api/types.ts"
import { Comparison } from "../../../../parts/condition/builder/comparison.tsx"
import { FieldPicker } from "../../../../parts/condition/builder/field-picker.tsx"
import { aboutField, newRule, type Rule, withOperator } from "../../../../parts/condition/model/draft.ts"
import { fieldRef } from "../../../../parts/condition/model/fields.ts"
import type { DataType } from "../../../../parts/condition/model/operators.ts"
import { readRule } from "../../../../parts/condition/model/read.ts"
import { filterOf } from "../../../../parts/condition/model/write.ts"
import { nextBranchId } from "../model/clipboard.ts"
import { type Branch, branchesOf, isMulti } from "../model/exits.ts"
import { asDataField } from "../model/summary.ts"
import { useStepCatalogue } from "./catalogue.ts"
import styles from "./forms.module.css"
import { type StepFormProps, textIn } from "./step-form.ts"

/** What decides, and the branches: yes and no, or one for each of several values. */
export function ConditionForm({ step, faults, onConfig, onStep, eventName }: StepFormProps) {
  const { config } = step
  const catalogue = useStepCatalogue(eventName)
  const field = textIn(config.field)
  const type = catalogue.typeOf(field)
  const multi = isMulti(config)
  const branches = branchesOf(config)
  const setBranches = (next: readonly Branch[]) => onConfig({ branches: next })
  const setField = (chosen: string) => {
    const start = comparisonOf(aboutField(newRule(), asDataField(chosen), catalogue.typeOf(chosen)))
    const config = multi
      ? {
          mode: "multi",
          field: chosen,
          branches: branches.map(({ id, name }) => ({ id, ...(name ? { name } : {}), ...start })),
        }
      : { field: chosen, ...start }
    onStep({ config })
  }
  const setMulti = (wanted: boolean) => {
    const { operator, value, unit } = config
    const [first] = branches
    if (wanted) {
      const one = { id: "b1", ...defined({ operator: operator ?? "equals", value, unit }) }
      onStep({ config: { mode: "multi", field, branches: [one] } })
    } else
      onStep({ config: { field, ...defined({ operator: first?.operator, value: first?.value, unit: first?.unit }) } })
  }
  return (
    <>
      <div className={styles.condition}>
        <span className={styles.label}>Look at</span>
        <div className={styles.row}>
          <FieldPicker field={field} catalogue={catalogue} fault={faults.field} onField={setField} />
        </div>
        {faults.field && <p className={styles.fault}>{faults.field}</p>}
      </div>
      {field !== "" && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Branches"
          data={[
            { value: "two", label: "Yes or no" },
            { value: "multi", label: "Several branches" },
          ]}
          value={multi ? "multi" : "two"}
          onChange={(value) => setMulti(value === "multi")}
        />
      )}
      {field !== "" && !multi && (
        <CompareWith key={field} field={field} filter={config} type={type} fault={faults.value} onFilter={onConfig} />
      )}
      {field !== "" && multi && (
        <>
          <ul className={styles.branches} aria-label="Branches, the first that is true is taken">
            {branches.map((branch, index) => (
              <li key={branch.id} className={styles.branch}>
                <div className={styles.branchHead}>
                  <TextInput
                    size="xs"
                    aria-label={`Name of branch ${index + 1}`}
                    placeholder={`Branch ${index + 1}`}
                    value={branch.name ?? ""}
                    onChange={({ currentTarget: { value } }) =>
                      setBranches(branches.map((one) => (one === branch ? { ...one, name: value } : one)))
                    }
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove branch ${index + 1}`}
                    onClick={() => setBranches(branches.filter((one) => one !== branch))}
                  >
                    <IconTrash size={15} stroke={1.7} />
                  </ActionIcon>
                </div>
                <CompareWith
                  key={field}
                  field={field}
                  filter={branch}
                  type={type}
                  fault={faults[`branches.${index}`]}
                  onFilter={(part) => setBranches(branches.map((one) => (one === branch ? { ...one, ...part } : one)))}
                />
              </li>
            ))}
          </ul>
          {faults.branches && <p className={styles.fault}>{faults.branches}</p>}
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={branches.length >= mostBranches}
            leftSection={<IconPlus size={14} stroke={1.9} />}
            onClick={() => setBranches([...branches, { id: nextBranchId(step), operator: "equals" }])}
          >
            Branch
          </Button>
        </>
      )}
    </>
  )
}

const mostBranches = 20

const defined = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Operator, value and unit of a rule; those that are missing are removed from what they are merged into. */
function comparisonOf(rule: Rule): Data {
  const { filter, fault } = filterOf(rule)
  return { operator: filter.operator, value: fault ? undefined : filter.value, unit: fault ? undefined : filter.unit }
}

interface CompareWithProps {
  field: string
  filter: Data
  type: DataType
  fault: string | undefined
  onFilter(part: Data): void
}

/** The operator and value of a branch. What is typed is kept while it is no value yet. */
function CompareWith({ field, filter, type, fault, onFilter }: CompareWithProps) {
  const known = asDataField(field)
  const read = (): Rule => ruleOf(filter, known, type)
  const [{ rule, seen }, setState] = useState(() => ({ rule: read(), seen: keyOf(filter) }))
  if (keyOf(filter) !== seen) {
    // changed elsewhere, for example by undo, unless it is what was just written
    const isWritten = keyOf(comparisonOf(rule)) === keyOf(filter)
    setState({ rule: isWritten ? rule : read(), seen: keyOf(filter) })
  }
  return (
    <div className={styles.condition}>
      <div className={styles.comparison}>
        <Comparison
          rule={rule}
          type={type}
          fault={fault ? { part: "value", message: fault } : undefined}
          onEdit={(next) => {
            setState({ rule: next, seen })
            onFilter(comparisonOf(next))
          }}
        />
      </div>
      {fault && <p className={styles.fault}>{fault}</p>}
    </div>
  )
}

const keyOf = ({ operator, value, unit }: Data): string => JSON.stringify([operator, value, unit])

/** The rule of a comparison; blank where there is no value yet. */
function ruleOf({ operator: sent, value, unit }: Data, field: string, type: DataType): Rule {
  const blank = aboutField(newRule(), field, type)
  const operator = textIn(sent) || blank.operator
  if (value === undefined) return withOperator(blank, operator, type)
  return readRule({ field, operator, value, unit } as FilterJson, fieldRef(field)?.kind ?? "data")
}
