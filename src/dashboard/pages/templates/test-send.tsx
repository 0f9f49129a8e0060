import { Button, Checkbox, Text, TextInput } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { modals } from "@mantine/modals"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { useLocation } from "wouter"
import { sendMail } from "../../api.ts"
import { ApiError } from "../../http.ts"
import { useSession } from "../../shell/session.tsx"
import { reasonOf } from "../../ui/format.ts"
import type { Data, Template } from "../../wire.ts"
import { findContact } from "../contacts/api.ts"
import styles from "./new-mail-form.module.css"

/** What is sent: a template as it is stored, with the content as it stands in the editor. */
export type TestContent = Pick<Template, "id" | "subject" | "body" | "from" | "fromName" | "replyTo" | "type">

/** Asks for an address and sends. `data` is seen by this one mail and stored with nobody. */
export function openTestSend(content: TestContent, data: Data = {}, to = ""): void {
  modals.open({
    title: "Send a test",
    centered: true,
    size: 420,
    children: <TestSend content={content} data={data} suggested={to} />,
  })
}

interface TestSendProps {
  content: TestContent
  data: Data
  suggested: string
}

function TestSend({ content, data, suggested }: TestSendProps) {
  const { config, project } = useSession()
  const [, go] = useLocation()
  const [last, setLast] = useLocalStorage({
    key: "posthorn.test-address",
    defaultValue: "ada@example.com",
    getInitialValueInEffect: false,
  })
  const [to, setTo] = useState(suggested || last)
  const [fault, setFault] = useState<string | null>(null)
  const [mayResubscribe, setMayResubscribe] = useState<boolean | null>(null)
  const [sending, setSending] = useState(false)
  const { secret } = project

  const send = async (key: string) => {
    setSending(true)
    try {
      const subscribed = await subscriptionFor(to)
      if (subscribed === "refused") return
      const { emails } = await sendMail(key, messageOf(content, to, data, subscribed))
      setLast(to)
      modals.closeAll()
      const id = emails[0]?.email
      notifications.show({
        title: "Test sent",
        message: (
          <Button variant="subtle" size="compact-sm" ml={-8} onClick={() => go(`/inbox/${id}`)}>
            {config.sandbox ? "Open it in the inbox" : "Follow it"}
          </Button>
        ),
        autoClose: 8000,
      })
    } catch (cause) {
      setFault(sayRefusal(cause))
    } finally {
      setSending(false)
    }
  }

  /** Marketing mail goes to subscribed contacts only (A4.3.5): a new one may be, one who left must be asked about. */
  const subscriptionFor = async (address: string): Promise<true | undefined | "refused"> => {
    if (content.type !== "MARKETING") return undefined
    const contact = await findContact(project.id, address)
    if (contact?.subscribed) return undefined
    if (!contact || mayResubscribe) return true
    setMayResubscribe(false)
    setFault("This contact is unsubscribed, and marketing mail does not go there.")
    return "refused"
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (secret !== null) void send(secret)
      }}
    >
      <TextInput
        label="To"
        type="email"
        data-autofocus
        value={to}
        error={fault}
        onChange={(event) => {
          setTo(event.currentTarget.value)
          setFault(null)
          setMayResubscribe(null)
        }}
      />
      {mayResubscribe !== null && (
        <Checkbox
          label="Subscribe the contact and send"
          checked={mayResubscribe}
          onChange={(event) => {
            setMayResubscribe(event.currentTarget.checked)
            setFault(null)
          }}
        />
      )}
      <Text size="xs" c="dimmed">
        {config.sandbox
          ? "It lands in the inbox of this sandbox, whatever the address. An address that is new becomes a contact."
          : "It goes out for real. An address that is new becomes a contact."}
      </Text>
      <div className={styles.actions}>
        <Button variant="default" onClick={() => modals.closeAll()}>
          Cancel
        </Button>
        <Button type="submit" loading={sending} disabled={mayResubscribe === false}>
          Send
        </Button>
      </div>
    </form>
  )
}

/** Fields of the request win over those stored (A4.3.1), so what is not saved yet is sent too. */
function messageOf(content: TestContent, to: string, data: Data, subscribed: true | undefined) {
  const { id, subject, body, from, fromName, replyTo } = content
  const once = Object.entries(data).map(([key, value]) => [key, { value, persistent: false }] as const)
  return {
    to,
    template: id,
    subject,
    body,
    from: fromName ? { name: fromName, email: from } : from,
    ...(replyTo ? { reply: replyTo } : {}),
    ...(once.length > 0 ? { data: Object.fromEntries(once) } : {}),
    ...(subscribed ? { subscribed } : {}),
  }
}

function sayRefusal(cause: unknown): string {
  const first = cause instanceof ApiError ? cause.faults[0] : undefined
  if (first?.field.startsWith("to")) return "This is not an email address."
  return first ? `${first.field}: ${first.message}` : reasonOf(cause)
}
