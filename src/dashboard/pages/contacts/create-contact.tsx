import { Button, Switch, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { useLocation } from "wouter"
import type { Contact } from "../../api/contacts.ts"
import { findContact, saveContact } from "../../api/contacts.ts"
import { cacheContact, refetchContactLists } from "../../queries/contacts.ts"
import { useChange } from "../../queries/use-change.ts"
import form from "../../ui/form.module.css"
import { Form } from "../../ui/form.tsx"
import { modals } from "../../ui/modals.ts"
import { emailFault } from "./faults.ts"

export function openCreateContact(): void {
  const closing = new AbortController()
  modals.openForm({
    title: "Add a contact",
    size: 420,
    onClose: () => closing.abort(),
    children: <CreateContact closed={closing.signal} />,
  })
}

/**
 * Creates a contact and opens it, unless the dialog is closed by then. An existing contact is not changed but offered
 * to be opened.
 */
function CreateContact({ closed }: { closed: AbortSignal }) {
  const [, go] = useLocation()
  const [email, setEmail] = useState("")
  const [subscribed, setSubscribed] = useState(true)
  const [fault, setFault] = useState<string | null>(null)
  const [known, setKnown] = useState<Contact | null>(null)

  const open = (contact: Contact) => {
    modals.closeAll()
    go(`/contacts/${contact.id}`)
  }
  const creation = useChange({
    async send(projectId) {
      const existing = await findContact(projectId, email)
      if (existing) return { existing }
      const { _meta, ...created } = await saveContact(projectId, { email, subscribed })
      return { created }
    },
    done(client, projectId, { existing, created }) {
      if (existing) {
        setKnown(existing)
        setFault("There is a contact with this address.")
      }
      if (!created) return
      cacheContact(client, projectId, created)
      void refetchContactLists(client, projectId)
      if (closed.aborted) notifications.show({ message: `${created.email} added` })
      else open(created)
    },
    format: emailFault,
    failed: (cause) => setFault(emailFault(cause)),
  })
  return (
    <Form
      onSubmit={() => {
        if (email.trim() === "") setFault("Which address?")
        else void creation.run()
      }}
    >
      <TextInput
        label="Email"
        type="email"
        placeholder="ada@example.com"
        data-autofocus
        value={email}
        error={fault}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setFault(null)
          setKnown(null)
        }}
      />
      <Switch
        label="Subscribed"
        description="Receives campaigns and marketing mail"
        checked={subscribed}
        onChange={(event) => setSubscribed(event.currentTarget.checked)}
      />
      <div className={form.actions}>
        {known ? (
          <Button variant="default" onClick={() => open(known)}>
            Open it
          </Button>
        ) : (
          <Button variant="default" onClick={() => modals.closeAll()}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={creation.isRunning} disabled={known !== null}>
          Add contact
        </Button>
      </div>
    </Form>
  )
}
