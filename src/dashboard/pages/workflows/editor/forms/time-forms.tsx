import { NativeSelect, Switch, TextInput } from "@mantine/core"
import { useState } from "react"
import { EventPicker } from "../../../../parts/events/event-picker.tsx"
import { numberIn } from "../model/amount.ts"
import { EventFilter } from "./event-filter.tsx"
import styles from "./forms.module.css"
import { type StepFormProps, textIn } from "./step-form.ts"

const unitNames = [
  { value: "minutes", label: "minutes" },
  { value: "hours", label: "hours" },
  { value: "days", label: "days" },
]

interface AmountProps {
  label: string
  amount: number | undefined
  unit: string
  fault: string | undefined
  isFirst?: boolean
  onChange(amount: number | undefined, unit: string): void
}

/** A number and its unit. The text is kept as typed while it is not a number. */
function Amount({ label, amount, unit, fault, isFirst = false, onChange }: AmountProps) {
  const [{ text, seen }, setState] = useState({ text: String(amount ?? ""), seen: amount })
  // changed elsewhere, for example by undo, unless it is what was just typed
  if (amount !== seen) setState({ text: numberIn(text) === amount ? text : String(amount ?? ""), seen: amount })
  return (
    <div className={styles.pair}>
      <TextInput
        label={label}
        size="sm"
        inputMode="decimal"
        value={text}
        error={fault}
        {...(isFirst ? { "data-first": true } : {})}
        onChange={({ currentTarget: { value } }) => {
          setState({ text: value, seen })
          onChange(numberIn(value), unit)
        }}
      />
      <NativeSelect
        label="Unit"
        size="sm"
        data={unitNames}
        value={unit}
        onChange={(event) => onChange(numberIn(text), event.currentTarget.value)}
      />
    </div>
  )
}

export const DelayForm = ({ step: { config }, faults, onConfig }: StepFormProps) => (
  <Amount
    label="Wait"
    amount={typeof config.amount === "number" ? config.amount : undefined}
    unit={textIn(config.unit) || "days"}
    fault={faults.amount}
    isFirst
    onChange={(amount, unit) => onConfig({ amount, unit })}
  />
)

const secondsIn: Readonly<Record<string, number>> = { minutes: 60, hours: 3_600, days: 86_400 }
const unitOf = (seconds: unknown): string => {
  if (typeof seconds !== "number") return "days"
  return seconds % 86_400 === 0 ? "days" : seconds % 3_600 === 0 ? "hours" : "minutes"
}

/** The event, and for how long it is waited for. */
export function WaitForm({ step: { config }, faults, onConfig }: StepFormProps) {
  const { timeout, filter } = config
  const [unit, setUnit] = useState(unitOf(timeout))
  const hasLimit = timeout !== undefined && timeout !== null
  const size = secondsIn[unit] ?? 86_400
  return (
    <>
      <EventPicker
        label="Event"
        description="What the contact does, from when the wait begins."
        placeholder="order.placed"
        value={textIn(config.eventName)}
        error={faults.eventName}
        onChange={(eventName) => onConfig({ eventName })}
      />
      <Switch
        label="Give up after a while"
        description={hasLimit ? "Then the other way is taken." : "Without it, the wait may never end."}
        checked={hasLimit}
        onChange={(event) => onConfig({ timeout: event.currentTarget.checked ? 3 * size : undefined })}
      />
      {hasLimit && (
        <Amount
          label="At most"
          amount={typeof timeout === "number" && !Number.isNaN(timeout) ? timeout / size : undefined}
          unit={unit}
          fault={faults.timeout}
          onChange={(amount, chosen) => {
            setUnit(chosen)
            onConfig({ timeout: amount === undefined ? Number.NaN : Math.round(amount * (secondsIn[chosen] ?? size)) })
          }}
        />
      )}
      <EventFilter
        filter={filter}
        eventName={textIn(config.eventName)}
        fault={faults.filter}
        onFilter={(filter) => onConfig({ filter })}
      />
    </>
  )
}
