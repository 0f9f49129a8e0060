import { Button, TextInput } from "@mantine/core"
import { modals } from "@mantine/modals"
import { type ReactNode, useState } from "react"
import { type FaultTexts, refusalOf } from "../../api/refusal.ts"
import { useSession } from "../../context/session.ts"
import { contentForm } from "../content/content-fields.ts"
import styles from "./new-mail-form.module.css"

/** What anything that is sent begins with. */
export interface MailStart {
  readonly name: string
  readonly from: string
  readonly fromName: string | null
}

interface NewMailFormProps {
  about?: string
  placeholder: string
  /** Whose sender is offered; undefined as long as there is none. */
  like: Pick<MailStart, "from" | "fromName"> | undefined
  /** On the button. */
  verb: string
  /** Creates it and closes the dialog; rejects with what the server says of the fields. */
  create(start: MailStart): Promise<void>
  /** What else is asked. */
  children: ReactNode
}

/** The form that a template or a campaign begins with: its name and its sender. */
export function NewMailForm({ about, placeholder, like, verb, create, children }: NewMailFormProps) {
  const { config, project } = useSession()
  const [name, setName] = useState("")
  const [typedFrom, setFrom] = useState<string | null>(null)
  const [typedFromName, setFromName] = useState<string | null>(null)
  const [faults, setFaults] = useState<FaultTexts>({})
  const [saving, setSaving] = useState(false)
  const from = typedFrom ?? like?.from ?? (config.sandbox ? "hello@shop.test" : "")
  const fromName = typedFromName ?? like?.fromName ?? ""

  const submit = async () => {
    const missing = {
      ...(name.trim() === "" ? { name: "How shall it be called?" } : {}),
      ...(from.trim() === "" ? { from: "Who sends it?" } : {}),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0) return
    setSaving(true)
    try {
      await create({ name: name.trim(), from, fromName: fromName.trim() || null })
    } catch (cause) {
      setFaults(refusalOf(cause, contentForm).faults)
      setSaving(false)
    }
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextInput
        label="Name"
        description={about}
        placeholder={placeholder}
        attributes={{ input: { dir: "auto" } }}
        data-autofocus
        value={name}
        error={faults.name ?? faults.other}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={styles.pair}>
        <TextInput
          label="Sender name"
          placeholder={project.name}
          attributes={{ input: { dir: "auto" } }}
          value={fromName}
          error={faults.fromName}
          onChange={(event) => setFromName(event.currentTarget.value)}
        />
        <TextInput
          label="From"
          type="email"
          placeholder="hello@example.com"
          value={from}
          error={faults.from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      </div>
      {children}
      <div className={styles.actions}>
        <Button variant="default" onClick={() => modals.closeAll()}>
          Cancel
        </Button>
        <Button type="submit" loading={saving}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
