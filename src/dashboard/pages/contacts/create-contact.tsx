import { Button, Switch, TextInput } from "@mantine/core"
import { modals } from "@mantine/modals"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import type { Contact } from "../../api/contacts.ts"
import { findContact, saveContact } from "../../api/contacts.ts"
import { useSession } from "../../context/session.ts"
import { keepContact, readListsAgain } from "../../queries/contacts.ts"
import styles from "./create-contact.module.css"
import { emailFault } from "./faults.ts"

export function openCreateContact(): void {
  const closing = new AbortController()
  modals.open({
    title: "Add a contact",
    centered: true,
    size: 420,
    onClose: () => closing.abort(),
    children: <CreateContact closed={closing.signal} />,
  })
}

/**
 * Creates a contact and opens it, unless the dialog is closed by then. One that is there already is not changed but
 * offered.
 */
function CreateContact({ closed }: { closed: AbortSignal }) {
  const { project } = useSession()
  const client = useQueryClient()
  const [, go] = useLocation()
  const [email, setEmail] = useState("")
  const [subscribed, setSubscribed] = useState(true)
  const [fault, setFault] = useState<string | null>(null)
  const [known, setKnown] = useState<Contact | null>(null)
  const [saving, setSaving] = useState(false)

  const open = (contact: Contact) => {
    modals.closeAll()
    go(`/contacts/${contact.id}`)
  }
  const create = async () => {
    setSaving(true)
    try {
      const there = await findContact(project.id, email)
      if (there) {
        setKnown(there)
        setFault("There is a contact with this address.")
      } else {
        const { _meta, ...contact } = await saveContact(project.id, { email, subscribed })
        keepContact(client, project.id, contact)
        void readListsAgain(client, project.id)
        if (closed.aborted) notifications.show({ message: `${contact.email} added` })
        else return open(contact)
      }
    } catch (cause) {
      setFault(emailFault(cause))
      if (closed.aborted) notifications.show({ color: "red", title: "Not added", message: emailFault(cause) })
    }
    setSaving(false)
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (email.trim() === "") setFault("Which address?")
        else void create()
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
      <div className={styles.actions}>
        {known ? (
          <Button variant="default" onClick={() => open(known)}>
            Open it
          </Button>
        ) : (
          <Button variant="default" onClick={() => modals.closeAll()}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={saving} disabled={known !== null}>
          Add contact
        </Button>
      </div>
    </form>
  )
}
