import { ActionIcon, Avatar, Button, Switch, TextInput } from "@mantine/core"
import { IconPencil } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useLayoutEffect, useRef, useState } from "react"
import type { Contact } from "../../api/contacts.ts"
import { type ContactChange, changeContact } from "../../api/contacts.ts"
import { isMissing } from "../../api/http.ts"
import { useSession } from "../../context/session.ts"
import { cacheContact, refetchContactLists, refetchContacts } from "../../queries/contacts.ts"
import { useChange } from "../../queries/use-change.ts"
import { CopyButton } from "../../ui/copy.tsx"
import { Form } from "../../ui/form.tsx"
import { age, initials } from "../../ui/format.ts"
import { useNow, When } from "../../ui/when.tsx"
import { emailFault } from "./faults.ts"
import styles from "./panel.module.css"

/** The address and the subscription of a contact, both changed in place. */
export function ContactHead({ contact }: { contact: Contact }) {
  const now = useNow()
  const change = useOptimisticChange(contact)
  const [editing, setEditing] = useState<boolean>()
  const pencil = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    // the form had the focus
    if (editing === false && document.activeElement === document.body) pencil.current?.focus()
  }, [editing])
  return (
    <header className={styles.head}>
      {editing ? (
        <EmailForm contact={contact} onDone={() => setEditing(false)} />
      ) : (
        <div className={styles.who}>
          <Avatar
            name={nameOf(contact)}
            color="initials"
            allowedInitialsColors={["ink", "brass", "grape", "cyan"]}
            size={44}
            radius="xl"
            aria-hidden="true"
          >
            {initials(nameOf(contact))}
          </Avatar>
          <div className={styles.names}>
            <h2 className={styles.email}>
              {contact.email}
              <span>
                <CopyButton text={contact.email} label="Copy address" />
                <ActionIcon
                  ref={pencil}
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label="Change address"
                  onClick={() => setEditing(true)}
                >
                  <IconPencil size={15} stroke={1.7} />
                </ActionIcon>
              </span>
            </h2>
            <p className={styles.since}>
              Added <When at={contact.createdAt} now={now} format={age} />
              {contact.updatedAt !== contact.createdAt && (
                <>
                  , changed <When at={contact.updatedAt} now={now} format={age} />
                </>
              )}
            </p>
          </div>
        </div>
      )}
      <div className={styles.state}>
        <span className={styles.stateText}>
          {contact.subscribed ? "Subscribed" : "Unsubscribed"}
          <small>
            {contact.subscribed ? "Receives campaigns and marketing mail" : "Receives transactional mail only"}
          </small>
        </span>
        <Switch
          aria-label="Subscribed"
          checked={contact.subscribed}
          onChange={(event) => change({ subscribed: event.currentTarget.checked })}
        />
      </div>
    </header>
  )
}

/** The name that the initials are taken from: one among the fields, or else the address. */
function nameOf({ email, data }: Contact): string {
  const first = data.firstName ?? data.first_name ?? data.name
  const last = data.lastName ?? data.last_name
  const said = [first, last].filter((part): part is string => typeof part === "string" && part !== "")
  return said.length > 0 ? said.join(" ") : email.replace(/@.*/, "").replace(/[._+-]+/g, " ")
}

/** Shows the change at once, and reverts it if the server refuses. */
function useOptimisticChange(contact: Contact): (change: ContactChange) => void {
  const { project } = useSession()
  const client = useQueryClient()
  const change = useChange({
    send: (projectId, part: ContactChange) => changeContact(projectId, contact.id, part),
    title: "Not changed",
    done: cacheContact,
    failed(cause) {
      cacheContact(client, project.id, contact)
      if (isMissing(cause)) void refetchContacts(client, project.id)
    },
  })
  return (part) => {
    cacheContact(client, project.id, { ...contact, ...part })
    void change.run(part)
  }
}

function EmailForm({ contact, onDone }: { contact: Contact; onDone(): void }) {
  const [email, setEmail] = useState(contact.email)
  const [fault, setFault] = useState<string | null>(null)
  const change = useChange({
    send: (projectId) => changeContact(projectId, contact.id, { email }),
    failed: (cause) => setFault(emailFault(cause)),
    done(client, projectId, saved) {
      cacheContact(client, projectId, saved)
      void refetchContactLists(client, projectId)
      onDone()
    },
  })
  const save = () => (email.trim() === contact.email ? onDone() : void change.run())
  return (
    <Form
      className={styles.form}
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone()
      }}
    >
      <TextInput
        type="email"
        aria-label="Address"
        autoFocus
        value={email}
        error={fault}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setFault(null)
        }}
      />
      <Button variant="default" size="sm" onClick={onDone}>
        Cancel
      </Button>
      <Button type="submit" size="sm" loading={change.isRunning}>
        Save
      </Button>
    </Form>
  )
}
