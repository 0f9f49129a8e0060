import { TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { QueryClient } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { type FaultTexts, refusalOf } from "../../api/refusal.ts"
import { createdNotice } from "../../context/just-created.ts"
import { useSession } from "../../context/session.ts"
import { useChange } from "../../queries/use-change.ts"
import { DialogActions } from "../../ui/dialog-actions.tsx"
import { Form } from "../../ui/form.tsx"
import { modals } from "../../ui/modals.ts"
import { contentForm } from "../content/content-fields.ts"
import { defaultSender } from "./default-sender.ts"
import styles from "./new-mail-form.module.css"

/** The common fields of a new template and a new campaign. */
export interface MailStart {
  readonly name: string
  readonly from: string
  readonly fromName: string | null
}

interface NewMailFormProps<Item extends { readonly name: string }> {
  about?: string
  placeholder: string
  /** The item whose sender is the default; undefined if there is none. */
  like: Pick<MailStart, "from" | "fromName"> | undefined
  /** The text of the button. */
  verb: string
  /** Sends the request that creates it; a refusal is shown in the form. */
  create(projectId: string, start: MailStart): Promise<Item>
  /** Caches the created item. */
  cache(client: QueryClient, projectId: string, item: Item): void
  /** Opens it; not called when the dialog was closed meanwhile. */
  open(item: Item): void
  /** Additional fields. */
  children: ReactNode
}

/** The form that creates a template or a campaign: name and sender. */
export function NewMailForm<Item extends { readonly name: string }>(props: NewMailFormProps<Item>) {
  const { about, placeholder, like, verb, create, cache, open, children } = props
  const { config, project } = useSession()
  const [name, setName] = useState("")
  const [typedFrom, setFrom] = useState<string | null>(null)
  const [typedFromName, setFromName] = useState<string | null>(null)
  const [faults, setFaults] = useState<FaultTexts>({})
  const from = typedFrom ?? defaultSender(like, config)
  const fromName = typedFromName ?? like?.fromName ?? ""

  const creation = useChange({
    send: create,
    failed: (cause) => setFaults(refusalOf(cause, contentForm).faults),
    done(client, projectId, item, _start: MailStart, isThere) {
      cache(client, projectId, item)
      if (isThere) {
        modals.closeAll()
        open(item)
      } else notifications.show({ message: createdNotice(item) })
    },
  })
  const submit = () => {
    const missing = {
      ...(name.trim() === "" ? { name: "Give it a name." } : {}),
      ...(from.trim() === "" ? { from: "Who sends it?" } : {}),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0) return
    void creation.run({ name: name.trim(), from, fromName: fromName.trim() || null })
  }
  return (
    <Form onSubmit={submit}>
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
      <DialogActions loading={creation.isRunning}>{verb}</DialogActions>
    </Form>
  )
}
