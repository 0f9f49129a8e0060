import { Button, Checkbox, Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { useLocation } from "wouter"
import { findContact, getContact } from "../../api/contacts.ts"
import { sendMail } from "../../api/emails.ts"
import type { Template } from "../../api/templates.ts"
import type { Data } from "../../api/types.ts"
import { useSession } from "../../context/session.ts"
import { useTestAddress } from "../../parts/content/test-address.ts"
import { type TestFault, testFaultOf } from "../../parts/content/test-fault.ts"
import { jsonOf, type PreviewFor } from "../../parts/content/use-preview.ts"
import styles from "../../parts/new-mail/new-mail-form.module.css"
import { useChange } from "../../queries/use-change.ts"
import { Form } from "../../ui/form.tsx"
import { modals } from "../../ui/modals.ts"

/** The content of the test: a stored template, with the content in the editor. */
export type TestContent = Pick<Template, "id" | "subject" | "body" | "text" | "from" | "fromName" | "replyTo" | "type">

/** Asks for an address and sends, with the data of the preview, or else of the contact with the address. */
export function openTestSend(content: TestContent, filled?: PreviewFor): void {
  modals.open({
    title: "Send a test",
    centered: true,
    size: 420,
    children: <TestSend content={content} filled={filled} />,
  })
}

interface TestSendProps {
  content: TestContent
  filled: PreviewFor | undefined
}

function TestSend({ content, filled }: TestSendProps) {
  const { config, project } = useSession()
  const [, go] = useLocation()
  // never the address of the preview, so that a customer does not get the test by accident
  const [last, setLast] = useTestAddress()
  const [to, setTo] = useState(last)
  const [fault, setFault] = useState<TestFault | null>(null)
  const [mayResubscribe, setMayResubscribe] = useState<boolean | null>(null)
  const { secret } = project

  const sending = useChange({
    async send(projectId, key: string) {
      const data = await dataOf(projectId, filled)
      const subscribed = await subscriptionFor(to)
      return subscribed === "refused" ? null : sendMail(key, messageOf(content, to, data, subscribed))
    },
    failed: (cause) => setFault(testFaultOf(cause)),
    done(_client, _projectId, result) {
      if (result === null) return
      const { emails } = result
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
    },
  })
  const send = (key: string) =>
    to.trim() === "" ? setFault({ at: "to", text: "To which address?" }) : void sending.run(key)

  /**
   * Marketing mail goes to subscribed contacts only (contract A4.3.5): a new contact may be subscribed, for an
   * unsubscribed one the user is asked.
   */
  const subscriptionFor = async (address: string): Promise<true | undefined | "refused"> => {
    if (content.type !== "MARKETING") return undefined
    const contact = await findContact(project.id, address)
    if (contact?.subscribed) return undefined
    if (!contact || mayResubscribe) return true
    setMayResubscribe(false)
    setFault({ at: "to", text: "This contact is unsubscribed, and marketing mail does not go there." })
    return "refused"
  }

  return (
    <Form
      className={styles.form}
      onSubmit={() => {
        if (secret !== null) send(secret)
      }}
    >
      <TextInput
        label="To"
        description={formatFilling(filled)}
        inputWrapperOrder={["label", "input", "error", "description"]}
        type="email"
        placeholder="you@example.com"
        data-autofocus
        value={to}
        error={fault?.at === "to" && fault.text}
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
      {fault?.at === "content" && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault.text}
        </Text>
      )}
      <div className={styles.actions}>
        <Button variant="default" onClick={() => modals.closeAll()}>
          Cancel
        </Button>
        <Button type="submit" loading={sending.isRunning} disabled={mayResubscribe === false}>
          Send
        </Button>
      </div>
    </Form>
  )
}

/** Fields of the request override those stored (contract A4.3.1), so unsaved content is sent too. */
function messageOf(content: TestContent, to: string, data: Data, subscribed: true | undefined) {
  const { id, subject, body, text, from, fromName, replyTo } = content
  const once = Object.entries(data).map(([key, value]) => [key, { value, persistent: false }] as const)
  return {
    to,
    template: id,
    subject,
    body,
    ...(text?.trim() ? { text } : {}),
    from: fromName ? { name: fromName, email: from } : from,
    ...(replyTo ? { reply: replyTo } : {}),
    ...(once.length > 0 ? { data: Object.fromEntries(once) } : {}),
    ...(subscribed ? { subscribed } : {}),
  }
}

function formatFilling(filled: PreviewFor | undefined): string {
  if (filled?.by === "json") return "Filled with the JSON data of the preview."
  return filled?.contact
    ? `Filled with the data of ${filled.contact.email}, like the preview.`
    : "Filled with the data of the contact that has this address."
}

/** The data of this mail only, which is not stored with a contact. */
async function dataOf(projectId: string, filled: PreviewFor | undefined): Promise<Data> {
  if (filled?.by === "json") return jsonOf(filled) ?? {}
  return filled?.contact ? (await getContact(projectId, filled.contact.id)).data : {}
}
