import { ActionIcon, Button, NativeSelect, Textarea, TextInput } from "@mantine/core"
import { IconPlus, IconX } from "@tabler/icons-react"
import { useState } from "react"
import type { Data } from "../../../../api/types.ts"
import { DataFields } from "../../../../parts/data/data-fields.tsx"
import { draftsOf, readDrafts } from "../../../../parts/data/draft.ts"
import styles from "./forms.module.css"
import { type StepFormProps, textIn } from "./step-form.ts"

const methods = ["POST", "GET", "PUT", "PATCH", "DELETE"]

/** The request: address, method, headers and body. */
export function WebhookForm({ step: { config }, faults, onConfig }: StepFormProps) {
  const method = textIn(config.method) || "POST"
  return (
    <>
      <TextInput
        className={styles.mono ?? ""}
        label="Address"
        size="sm"
        inputMode="url"
        placeholder="https://example.com/hook"
        value={textIn(config.url)}
        error={faults.url}
        data-first
        onChange={(event) => onConfig({ url: event.currentTarget.value })}
      />
      <NativeSelect
        label="Method"
        size="sm"
        data={methods}
        value={method}
        onChange={(event) => onConfig({ method: event.currentTarget.value })}
      />
      <Headers
        headers={(config.headers ?? {}) as Readonly<Record<string, string>>}
        onHeaders={(headers) => onConfig({ headers })}
      />
      {method !== "GET" && (
        <Textarea
          className={styles.mono ?? ""}
          label="Body"
          description="When empty: the contact, the workflow, the execution and the event as JSON. Variables like {{email}} are filled in."
          size="sm"
          autosize
          minRows={3}
          maxRows={14}
          placeholder={'{ "email": "{{email}}" }'}
          value={
            typeof config.body === "string"
              ? config.body
              : config.body === undefined
                ? ""
                : JSON.stringify(config.body, null, 2)
          }
          error={faults.body}
          onChange={({ currentTarget: { value } }) => onConfig({ body: value === "" ? undefined : value })}
        />
      )}
      <p className={styles.hint}>
        Tried again after 5, 30 and 120 seconds when there is no answer. Private addresses are refused.
      </p>
    </>
  )
}

interface HeadersProps {
  headers: Readonly<Record<string, string>>
  onHeaders(headers: Data | undefined): void
}

function Headers({ headers, onHeaders }: HeadersProps) {
  const [rows, setRows] = useState(() => Object.entries(headers))
  const set = (next: [string, string][]) => {
    setRows(next)
    const named = next.filter(([name]) => name.trim() !== "")
    onHeaders(named.length > 0 ? Object.fromEntries(named) : undefined)
  }
  return (
    <div className={styles.headers}>
      <span className={styles.label}>Headers</span>
      {rows.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity while its name is typed
        <div key={index} className={styles.header}>
          <TextInput
            size="xs"
            aria-label={`Name of header ${index + 1}`}
            placeholder="Authorization"
            value={name}
            onChange={(event) => set(rows.with(index, [event.currentTarget.value, value]))}
          />
          <TextInput
            size="xs"
            aria-label={`Value of header ${index + 1}`}
            value={value}
            onChange={(event) => set(rows.with(index, [name, event.currentTarget.value]))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove header ${index + 1}`}
            onClick={() => set(rows.toSpliced(index, 1))}
          >
            <IconX size={14} stroke={1.8} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={1.8} />}
          onClick={() => setRows([...rows, ["", ""]])}
        >
          Add a header
        </Button>
      </div>
    </div>
  )
}

/** The custom fields that are set, and the subscription. */
export function UpdateForm({ step: { config }, faults, onConfig }: StepFormProps) {
  const updates = (config.updates ?? config.data ?? {}) as Data
  const [drafts, setDrafts] = useState(() => draftsOf(updates))
  const reading = readDrafts(drafts)
  return (
    <>
      <div>
        <span className={styles.label}>Set fields</span>
        <DataFields
          drafts={drafts}
          faults={reading.faults}
          stored={updates}
          onChange={(next) => {
            const kept = next.filter(({ removed }) => !removed)
            setDrafts([...kept])
            // one that has no value yet is left out: its null would delete the field
            const valid = kept.filter((draft) => readDrafts([draft]).faults.size === 0)
            onConfig({ data: undefined, updates: readDrafts(valid).data })
          }}
        />
        {faults.updates && <p className={styles.fault}>{faults.updates}</p>}
      </div>
      <NativeSelect
        label="Subscription"
        size="sm"
        data={[
          { value: "none", label: "Leave as it is" },
          { value: "subscribe", label: "Subscribe" },
          { value: "unsubscribe", label: "Unsubscribe" },
        ]}
        value={textIn(config.subscriptionAction) || "none"}
        onChange={({ currentTarget: { value } }) =>
          onConfig({ subscriptionAction: value === "none" ? undefined : value })
        }
      />
    </>
  )
}

export const ExitForm = ({ step: { config }, faults, onConfig }: StepFormProps) => (
  <TextInput
    label="Reason"
    description="For the records; it is shown with each execution."
    size="sm"
    placeholder="bought"
    value={textIn(config.reason)}
    error={faults.reason}
    data-first
    onChange={({ currentTarget: { value } }) => onConfig({ reason: value === "" ? undefined : value })}
  />
)
