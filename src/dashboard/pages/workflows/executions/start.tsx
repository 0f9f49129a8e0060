import { Text, Textarea } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { useLocation } from "wouter"
import { type FaultTexts, reasonOf } from "../../../api/refusal.ts"
import type { Data } from "../../../api/types.ts"
import { startExecution, type WorkflowFields } from "../../../api/workflows.ts"
import { ContactPicker } from "../../../parts/contact-picker.tsx"
import { useChange } from "../../../queries/use-change.ts"
import { refetchExecutions } from "../../../queries/workflows.ts"
import { DialogActions } from "../../../ui/dialog-actions.tsx"
import { Form } from "../../../ui/form.tsx"
import { modals } from "../../../ui/modals.ts"
import { dataIn } from "../data-in.ts"

type Started = Pick<WorkflowFields, "id" | "name" | "enabled">

export const openStart = (workflow: Started): void =>
  void modals.open({
    title: `Start “${workflow.name}” for a contact`,
    size: 440,
    children: <Start workflow={workflow} />,
  })

/** Chooses a contact and the data that the steps see as that of the event. */
function Start({ workflow: { id, enabled } }: { workflow: Started }) {
  const [, go] = useLocation()
  const [contact, setContact] = useState<{ readonly id: string; readonly email: string }>()
  const [text, setText] = useState("")
  const [faults, setFaults] = useState<FaultTexts>({})
  const start = useChange({
    send: (projectId, sent: { contactId: string; context: Data }) => startExecution(projectId, id, sent),
    failed: (cause) => setFaults({ other: reasonOf(cause) }),
    async done(client, projectId, execution, _input, isThere) {
      if (isThere) modals.closeAll()
      await refetchExecutions(client, projectId, id)
      if (isThere) go(`/workflows/${id}/executions/${execution.id}`)
      notifications.show({ message: `Started for ${execution.contact.email}`, autoClose: 3000 })
    },
  })
  const submit = () => {
    const context = dataIn(text)
    const missing = {
      ...(contact ? {} : { other: "Choose a contact." }),
      ...(context ? {} : { context: "Not a JSON object." }),
    }
    setFaults(missing)
    if (contact && context) void start.run({ contactId: contact.id, context })
  }
  if (!enabled)
    return (
      <Text size="sm" c="dimmed">
        The workflow is off. Turn it on first: nobody can start it until then.
      </Text>
    )
  return (
    <Form onSubmit={submit}>
      <ContactPicker chosen={contact?.id} empty="There are no contacts yet." onChoose={setContact} />
      <Textarea
        label="Data of the event"
        description="As JSON; templates and conditions see it as event."
        autosize
        minRows={2}
        maxRows={8}
        placeholder={'{ "plan": "pro" }'}
        value={text}
        error={faults.context}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {faults.other && (
        <Text size="sm" c="red" role="alert">
          {faults.other}
        </Text>
      )}
      <DialogActions loading={start.isRunning}>Start</DialogActions>
    </Form>
  )
}
