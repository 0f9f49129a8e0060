import { Button, Popover, TextInput, UnstyledButton } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { IconClockPause } from "@tabler/icons-react"
import { type ReactNode, useState } from "react"
import { useTurnClock } from "../queries/clock.ts"
import { Form } from "../ui/form.tsx"
import { count, fullTime } from "../ui/format.ts"
import styles from "./clock-control.module.css"

const hour = 60 * 60 * 1_000
const day = 24 * hour

const spans = [
  { name: "+1 h", label: "One hour on", ms: hour },
  { name: "+1 d", label: "One day on", ms: day },
  { name: "+7 d", label: "Seven days on", ms: 7 * day },
]

/** Where the clock of the sandbox stands, in ms, and buttons that turn it. */
export default function ClockControl({ at }: { at: number }) {
  const [isOpen, setOpen] = useState(false)
  const turning = useTurnClock()

  async function turnTo(time: number): Promise<void> {
    const turned = await turning.run(time)
    if (turned === undefined) return
    setOpen(false)
    const mails = turned.emails === 0 ? "No mail" : count(turned.emails, "mail")
    notifications.show({ message: `It is ${fullTime(Date.parse(turned.now))}. ${mails} went out.`, autoClose: 5_000 })
  }

  const buttons = spans.map(({ name, label, ms }) => (
    <Button
      key={name}
      size="compact-xs"
      variant="default"
      aria-label={label}
      disabled={turning.isRunning}
      onClick={() => void turnTo(at + ms)}
    >
      {name}
    </Button>
  ))
  return (
    <section className={styles.clock} aria-label="Clock of the sandbox">
      <Popover opened={isOpen} onChange={setOpen} position="top-start" width={252} trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton
            className={styles.row ?? ""}
            title="The clock stands still until it is turned"
            onClick={() => setOpen((was) => !was)}
          >
            <IconClockPause size={18} stroke={1.7} aria-hidden="true" />
            <time className={styles.time} dateTime={new Date(at).toISOString()}>
              {fullTime(at)}
            </time>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <TurnPanel key={at} at={at} isTurning={turning.isRunning} turnTo={turnTo} buttons={buttons} />
        </Popover.Dropdown>
      </Popover>
      <div className={`${styles.buttons} ${styles.inline}`}>
        {buttons}
        <Button size="compact-xs" variant="default" disabled={turning.isRunning} onClick={() => setOpen(true)}>
          To…
        </Button>
      </div>
    </section>
  )
}

interface TurnPanelProps {
  at: number
  isTurning: boolean
  turnTo(time: number): Promise<void>
  buttons: ReactNode
}

function TurnPanel({ at, isTurning, turnTo, buttons }: TurnPanelProps) {
  const [wall, setWall] = useState(() => wallTimeOf(at + day))
  const [fault, setFault] = useState<string | null>(null)
  const turn = () => {
    const time = Date.parse(wall)
    if (Number.isNaN(time)) return setFault("Which day, and what time?")
    if (time < at) return setFault("The clock is past that.")
    void turnTo(time)
  }
  return (
    <Form className={styles.panel} onSubmit={turn}>
      <p className={styles.about}>
        The clock of this sandbox stands still. Turn it: what becomes due on the way happens in its order.
      </p>
      <div className={styles.buttons}>{buttons}</div>
      <TextInput
        label="Turn it to"
        type="datetime-local"
        value={wall}
        error={fault}
        data-autofocus
        onChange={(event) => {
          setWall(event.currentTarget.value)
          setFault(null)
        }}
      />
      <Button type="submit" loading={isTurning}>
        Turn the clock
      </Button>
    </Form>
  )
}

/** The local time, to the minute, as an input of the browser has it. */
function wallTimeOf(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * 60 * 1_000
  return new Date(at - offsetMs).toISOString().slice(0, 16)
}
