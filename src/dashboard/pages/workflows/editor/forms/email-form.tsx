import { SegmentedControl, TextInput } from "@mantine/core"
import { Link } from "wouter"
import { useTemplateNames } from "../../../../queries/templates.ts"
import styles from "./forms.module.css"
import { type StepFormProps, textIn } from "./step-form.ts"
import { TemplatePicker } from "./template-picker.tsx"

/** The template, and who gets it. */
export function EmailForm({ step, faults, onConfig, onStep }: StepFormProps) {
  const recipient = (step.config.recipient ?? { type: "CONTACT" }) as { type: string; customEmail?: string }
  const isCustom = recipient.type === "CUSTOM"
  const { templateId } = step
  const name = useTemplateNames(templateId === null ? [] : [templateId]).get(templateId ?? "")
  return (
    <>
      <TemplatePicker
        value={templateId}
        name={name}
        fault={faults.templateId}
        onChange={(chosen) => {
          const isUnnamed = step.name === "Send an email" || step.name === name
          onStep({ templateId: chosen.id, ...(isUnnamed ? { name: chosen.name } : {}) })
        }}
      />
      <p className={styles.hint}>
        {templateId && name !== null ? (
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
