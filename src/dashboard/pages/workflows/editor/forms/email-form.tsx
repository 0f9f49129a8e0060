import { SegmentedControl, Select, TextInput } from "@mantine/core"
import { Link } from "wouter"
import { useTemplates } from "../../../../queries/templates.ts"
import styles from "./forms.module.css"
import { type StepFormProps, textIn } from "./step-form.ts"

const every = { search: "", type: null, sort: "name", dir: "asc", page: 1, pageSize: 100 } as const

/** The template, and who gets it. */
export function EmailForm({ step, faults, onConfig, onStep }: StepFormProps) {
  const templates = useTemplates(every).data?.data ?? []
  const recipient = (step.config.recipient ?? { type: "CONTACT" }) as { type: string; customEmail?: string }
  const isCustom = recipient.type === "CUSTOM"
  const known = templates.map(({ id, name }) => ({ value: id, label: name }))
  const { templateId } = step
  const isGone = templateId !== null && templates.length > 0 && known.every(({ value }) => value !== templateId)
  return (
    <>
      <Select
        label="Template"
        size="sm"
        searchable
        placeholder="Choose a template"
        nothingFoundMessage="No such template"
        data={isGone ? [{ value: templateId, label: "A deleted template" }, ...known] : known}
        value={templateId}
        error={faults.templateId}
        comboboxProps={{ shadow: "lg" }}
        data-first
        onChange={(value) => {
          const chosen = templates.find(({ id }) => id === value)
          const isUnnamed = step.name === "Send an email" || templates.some(({ name }) => name === step.name)
          onStep({ templateId: value, ...(chosen && isUnnamed ? { name: chosen.name } : {}) })
        }}
      />
      <p className={styles.hint}>
        {templateId && !isGone ? (
          <Link href={`/templates/${templateId}`}>Open the template</Link>
        ) : (
          <Link href="/templates">All templates</Link>
        )}
      </p>
      <div>
        <span className={styles.label} id="recipient-label">
          To
        </span>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-labelledby="recipient-label"
          data={[
            { value: "CONTACT", label: "The contact" },
            { value: "CUSTOM", label: "Another address" },
          ]}
          value={isCustom ? "CUSTOM" : "CONTACT"}
          onChange={(type) =>
            onConfig({ recipient: type === "CUSTOM" ? { type, customEmail: recipient.customEmail ?? "" } : { type } })
          }
        />
      </div>
      {isCustom && (
        <TextInput
          label="Address"
          description="Variables like {{owner}} are filled in."
          size="sm"
          type="text"
          inputMode="email"
          placeholder="team@example.com"
          value={textIn(recipient.customEmail)}
          error={faults.recipient}
          onChange={(event) => onConfig({ recipient: { type: "CUSTOM", customEmail: event.currentTarget.value } })}
        />
      )}
    </>
  )
}
