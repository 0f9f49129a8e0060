import { TextInput } from "@mantine/core"
import { IconCopy, IconTrash, IconX } from "@tabler/icons-react"
import { type ReactNode, useEffect, useRef } from "react"
import { Tool } from "../../../ui/tool.tsx"
import { StepIcon } from "../step-icon.tsx"
import styles from "./editor.module.css"
import { ExitForm, UpdateForm, WebhookForm } from "./forms/action-forms.tsx"
import { ConditionForm } from "./forms/condition-form.tsx"
import { EmailForm } from "./forms/email-form.tsx"
import type { StepFormProps } from "./forms/step-form.ts"
import { DelayForm, WaitForm } from "./forms/time-forms.tsx"
import { kinds } from "./model/kinds.ts"
import { onEscape } from "./on-escape.ts"

interface StepPanelProps extends StepFormProps {
  /** The form of the trigger, which belongs to the workflow. */
  triggerForm: ReactNode
  /** Another object each time that the first field is to take the focus; null when it is not. */
  opened: object | null
  onClose(): void
  /** Undefined for the trigger. */
  onDuplicate: (() => void) | undefined
  onRemove: (() => void) | undefined
}

/** The settings of the chosen step. */
export function StepPanel({ triggerForm, opened, onClose, onDuplicate, onRemove, ...form }: StepPanelProps) {
  const { step, faults, onStep } = form
  const { name, about } = kinds[step.type]
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (opened) focusFirst(panel.current)
  }, [opened])
  return (
    <aside
      ref={panel}
      className={styles.panel}
      aria-label={`Settings of ${step.name || name}`}
      onKeyDown={onEscape(onClose)}
    >
      <header className={styles.panelHead}>
        <StepIcon type={step.type} size={34} />
        <div className={styles.panelTexts}>
          <h2 className={styles.panelTitle}>{name}</h2>
          <p className={styles.panelAbout}>{about}</p>
        </div>
        <Tool label="Close" shortcut="Escape" icon={IconX} size="md" run={onClose} />
      </header>
      <div className={styles.panelBody}>
        {step.type === "TRIGGER" ? (
          triggerForm
        ) : (
          <>
            <Form key={step.id} {...form} />
            <TextInput
              label="Name of the step"
              description="For you: it is shown here and in the records."
              size="sm"
              value={step.name}
              error={faults.name}
              onChange={(event) => onStep({ name: event.currentTarget.value })}
            />
          </>
        )}
      </div>
      {onRemove && (
        <footer className={styles.panelFoot}>
          <Tool label="Duplicate" icon={IconCopy} run={onDuplicate} />
          <Tool label="Delete the step" shortcut="Delete" icon={IconTrash} run={onRemove} />
        </footer>
      )}
    </aside>
  )
}

function Form(props: StepFormProps) {
  switch (props.step.type) {
    case "SEND_EMAIL":
      return <EmailForm {...props} />
    case "DELAY":
      return <DelayForm {...props} />
    case "WAIT_FOR_EVENT":
      return <WaitForm {...props} />
    case "CONDITION":
      return <ConditionForm {...props} />
    case "WEBHOOK":
      return <WebhookForm {...props} />
    case "UPDATE_CONTACT":
      return <UpdateForm {...props} />
    case "EXIT":
      return <ExitForm {...props} />
    default:
      return null
  }
}

function focusFirst(panel: HTMLElement | null): void {
  const body = panel?.querySelector(`.${styles.panelBody}`)
  body
    ?.querySelector<HTMLElement>("input:not([type=hidden], [type=radio]), button:not([disabled]), textarea, select")
    ?.focus()
}
