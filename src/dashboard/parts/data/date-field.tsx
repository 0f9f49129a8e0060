import { ActionIcon, TextInput, Tooltip } from "@mantine/core"
import { IconClock, IconClockOff } from "@tabler/icons-react"
import { useState } from "react"
import styles from "./data-fields.module.css"
import type { Draft } from "./draft.ts"
import { isDate } from "./kinds.ts"

interface DateFieldProps {
  text: string
  incomplete: boolean
  "aria-label": string
  size: "sm"
  error: string | undefined
  placeholder: string
  onEdit(part: Pick<Draft, "text" | "incomplete">): void
}

/** A day, or a time in UTC: the dates of contract A2.3. */
export function DateField({ text, incomplete, onEdit, ...common }: DateFieldProps) {
  // a text typed as another type is kept, but the control cannot show it
  const date = isDate(text) ? text : ""
  const [form, setForm] = useState(() => formOf(date))
  // the form is that of the date, and stays while parts of it are deleted
  const wanted = date === "" ? form : formOf(date, form)
  if (wanted !== form) setForm(wanted)
  const timed = form !== "day"

  const read = ({ value, validity }: HTMLInputElement) =>
    onEdit({ text: value === "" || !timed ? value : `${value.padEnd(19, ":00")}Z`, incomplete: validity.badInput })
  const turn = () => {
    setForm(timed ? "day" : "minute")
    onEdit({ text: date === "" ? text : timed ? date.slice(0, 10) : `${date}T00:00:00Z`, incomplete: false })
  }
  return (
    <div className={styles.date}>
      <TextInput
        key={String(timed)}
        {...common}
        {...inputs[form]}
        value={date.slice(0, lengths[form])}
        onChange={(event) => read(event.currentTarget)}
        // browsers report no change of single parts while the date is incomplete
        onKeyUp={({ currentTarget }) => {
          if (currentTarget.validity.badInput !== incomplete) read(currentTarget)
        }}
      />
      {timed && <span className={styles.zone}>UTC</span>}
      <Tooltip label={timed ? "Without a time" : "With a time, in UTC"}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={timed ? `${common["aria-label"]} without a time` : `${common["aria-label"]} with a time`}
          onClick={turn}
        >
          {timed ? <IconClockOff size={16} stroke={1.6} /> : <IconClock size={16} stroke={1.6} />}
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

type Form = "day" | "minute" | "second"

const lengths: Record<Form, number> = { day: 10, minute: 16, second: 19 }

/** Years have four digits; with a fifth the date would be invalid. */
const inputs = {
  day: { type: "date", max: "9999-12-31" },
  minute: { type: "datetime-local", max: "9999-12-31T23:59" },
  second: { type: "datetime-local", max: "9999-12-31T23:59:59", step: 1 },
} as const satisfies Record<Form, object>

/** The precision of the control for a date; one that shows seconds continues to. */
function formOf(text: string, now: Form = "day"): Form {
  if (text.length <= lengths.day) return "day"
  return now === "second" || text.slice(17, 19) !== "00" ? "second" : "minute"
}
