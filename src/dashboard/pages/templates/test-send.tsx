import { Button, Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { useLocation } from "wouter"
import { type Template, testTemplate } from "../../api/templates.ts"
import { useSession } from "../../context/session.ts"
import { useTestAddress } from "../../parts/content/test-address.ts"
import { type TestFault, testFaultOf } from "../../parts/content/test-fault.ts"
import { jsonOf, type PreviewFor } from "../../parts/content/use-preview.ts"
import { useChange } from "../../queries/use-change.ts"
import { DialogActions } from "../../ui/dialog-actions.tsx"
import { Form } from "../../ui/form.tsx"
import { modals } from "../../ui/modals.ts"

/** The content of the test: a stored template, with the content in the editor. */
export type TestContent = Pick<Template, "id" | "subject" | "body" | "text" | "from" | "fromName" | "replyTo">

/** Asks for an address and sends, with the data of the preview, or else of the contact with the address. */
export function openTestSend(content: TestContent, filled?: PreviewFor): void {
  modals.open({
    title: "Send a test",
    size: 420,
    children: <TestSend content={content} filled={filled} />,
  })
}

interface TestSendProps {
  content: TestContent
  filled: PreviewFor | undefined
}

function TestSend({ content, filled }: TestSendProps) {
  const { config } = useSession()
  const [, go] = useLocation()
  // never the address of the preview, so that a customer does not get the test by accident
  const [last, setLast] = useTestAddress()
  const [to, setTo] = useState(last)
  const [fault, setFault] = useState<TestFault | null>(null)

  const sending = useChange({
    send: (projectId, address: string) => testTemplate(projectId, content.id, requestOf(content, address, filled)),
    failed: (cause) => setFault(testFaultOf(cause)),
    done(_client, _projectId, { emailId }, address, isThere) {
      setLast(address)
      if (isThere) modals.closeAll()
      notifications.show({
        title: "Test sent",
        message: (
          <Button variant="subtle" size="compact-sm" ml={-8} onClick={() => go(`/inbox/${emailId}`)}>
            {config.sandbox ? "Open it in the inbox" : "Follow it"}
          </Button>
        ),
        autoClose: 8000,
      })
    },
  })
  const send = () => {
    if (to.trim() === "") return setFault({ at: "to", text: "To which address?" })
    if (filled && jsonOf(filled) === null)
      return setFault({ at: "content", text: "The JSON data of the preview cannot be read: correct it first." })
    void sending.run(to.trim())
  }

  return (
    <Form onSubmit={send}>
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
        }}
      />
      <Text size="xs" c="dimmed">
        {config.sandbox
          ? "It lands in the inbox of this sandbox, whatever the address. Nobody becomes a contact."
          : "It goes out for real, marked as a test. Nobody becomes a contact."}
      </Text>
      {fault?.at === "content" && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault.text}
        </Text>
      )}
      <DialogActions loading={sending.isRunning}>Send</DialogActions>
    </Form>
  )
}

/** With the content in the editor, saved or not. */
function requestOf(content: TestContent, email: string, filled?: PreviewFor) {
  const { subject, body, text, from, fromName, replyTo } = content
  return {
    email,
    subject,
    body,
    text: text?.trim() ? text : null,
    from,
    fromName: fromName || null,
    replyTo: replyTo || null,
    ...(filled?.by === "contact" && filled.contact ? { contactId: filled.contact.id } : {}),
    ...(filled?.by === "json" ? { data: jsonOf(filled) ?? {} } : {}),
  }
}

function formatFilling(filled: PreviewFor | undefined): string {
  if (filled?.by === "json") return "Filled with the JSON data of the preview."
  return filled?.contact
    ? `Filled with the data of ${filled.contact.email}, like the preview.`
    : "Filled with the data of the contact that has this address."
}
