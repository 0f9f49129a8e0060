import { ActionIcon, Button, NativeSelect, SegmentedControl, Switch, Textarea, TextInput } from "@mantine/core"
import { IconPlus, IconX } from "@tabler/icons-react"
import type { SimulationRequest } from "../../../../api/workflows.ts"
import { ContactPicker } from "../../../../parts/contact-picker.tsx"
import { EventPicker } from "../../../../parts/events/event-picker.tsx"
import { dataIn } from "../../data-in.ts"
import styles from "./simulation.module.css"

interface LaterEvent {
  readonly key: number
  readonly amount: string
  readonly unit: "m" | "h" | "d"
  readonly name: string
}

/** Whom a simulation is about, and what they do meanwhile. */
export interface Subject {
  readonly kind: "stored" | "made-up"
  readonly contact: { readonly id: string; readonly email: string } | null
  readonly email: string
  readonly subscribed: boolean
  /** JSON, as typed. */
  readonly data: string
  readonly event: string
  readonly events: readonly LaterEvent[]
}

export const blankSubject: Subject = {
  kind: "stored",
  contact: null,
  email: "",
  subscribed: true,
  data: "",
  event: "",
  events: [],
}

/** The request, or why there is none. */
export function subjectIn(subject: Subject): { request: SimulationRequest } | { fault: string } {
  const [data, event] = [dataIn(subject.data), dataIn(subject.event)]
  if (!data) return { fault: "The fields are no JSON object." }
  if (!event) return { fault: "The data of the event is no JSON object." }
  if (subject.kind === "stored" && !subject.contact) return { fault: "Choose a contact, or make one up." }
  const { contact, email, subscribed } = subject
  const who =
    subject.kind === "stored" && contact
      ? { contactId: contact.id }
      : { contact: { ...(email.trim() === "" ? {} : { email: email.trim() }), subscribed, data } }
  const events = subject.events
    .filter(({ name }) => name.trim() !== "")
    .map(({ amount, unit, name }) => ({ after: `${Number(amount) || 0}${unit}`, name: name.trim() }))
  return { request: { ...who, event: { data: event }, events } }
}

interface SubjectFieldsProps {
  subject: Subject
  onSubject(subject: Subject): void
  fault: string
}

export function SubjectFields({ subject, onSubject, fault }: SubjectFieldsProps) {
  const edit = (part: Partial<Subject>) => onSubject({ ...subject, ...part })
  const { events } = subject
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="For whom"
        data={[
          { value: "stored", label: "A contact" },
          { value: "made-up", label: "Made up" },
        ]}
        value={subject.kind}
        onChange={(value) => edit({ kind: value === "made-up" ? "made-up" : "stored" })}
      />
      {subject.kind === "stored" ? (
        <ContactPicker
          chosen={subject.contact?.id}
          empty="There are no contacts yet."
          onChoose={(contact) => edit({ contact })}
        />
      ) : (
        <>
          <TextInput
            label="Address"
            size="sm"
            type="email"
            placeholder="somebody@example.com"
            value={subject.email}
            onChange={(event) => edit({ email: event.currentTarget.value })}
          />
          <Textarea
            label="Fields"
            size="sm"
            autosize
            minRows={2}
            maxRows={8}
            placeholder={'{ "plan": "pro" }'}
            value={subject.data}
            onChange={(event) => edit({ data: event.currentTarget.value })}
          />
          <Switch
            label="Subscribed"
            checked={subject.subscribed}
            onChange={(event) => edit({ subscribed: event.currentTarget.checked })}
          />
        </>
      )}
      <Textarea
        label="Data of the event"
        size="sm"
        autosize
        minRows={1}
        maxRows={8}
        placeholder={'{ "amount": 99 }'}
        value={subject.event}
        onChange={(event) => edit({ event: event.currentTarget.value })}
      />
      <div className={styles.events}>
        <span className={styles.label}>What they do meanwhile</span>
        {events.map((one, index) => {
          const change = (part: Partial<LaterEvent>) => edit({ events: events.with(index, { ...one, ...part }) })
          return (
            <div key={one.key} className={styles.event}>
              <TextInput
                size="xs"
                aria-label={`Event ${index + 1}: after how long`}
                inputMode="numeric"
                value={one.amount}
                onChange={(event) => change({ amount: event.currentTarget.value })}
              />
              <NativeSelect
                size="xs"
                aria-label={`Event ${index + 1}: unit`}
                data={[
                  { value: "m", label: "minutes" },
                  { value: "h", label: "hours" },
                  { value: "d", label: "days" },
                ]}
                value={one.unit}
                onChange={({ currentTarget: { value } }) =>
                  change({ unit: value === "m" || value === "h" ? value : "d" })
                }
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove event ${index + 1}`}
                onClick={() => edit({ events: events.toSpliced(index, 1) })}
              >
                <IconX size={14} stroke={1.8} />
              </ActionIcon>
              <div className={styles.eventName}>
                <EventPicker
                  aria-label={`Event ${index + 1}: name`}
                  placeholder="order.placed"
                  value={one.name}
                  onChange={(name) => change({ name })}
                />
              </div>
            </div>
          )
        })}
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconPlus size={14} stroke={1.8} />}
            onClick={() =>
              edit({ events: [...events, { key: (events.at(-1)?.key ?? 0) + 1, amount: "1", unit: "d", name: "" }] })
            }
          >
            An event
          </Button>
        </div>
      </div>
      {fault !== "" && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
