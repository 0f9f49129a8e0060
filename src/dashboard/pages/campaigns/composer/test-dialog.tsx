import { Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { type Campaign, testCampaign } from "../../../api/campaigns.ts"
import { useSession } from "../../../context/session.ts"
import { capturing, isCapturing } from "../../../parts/capturing.ts"
import { useTestAddress } from "../../../parts/content/test-address.ts"
import { refetchCampaign } from "../../../queries/campaigns.ts"
import { useChange } from "../../../queries/use-change.ts"
import { DialogActions } from "../../../ui/dialog-actions.tsx"
import { Form } from "../../../ui/form.tsx"
import { modals } from "../../../ui/modals.ts"
import { formatRefusal } from "../faults.ts"
import styles from "./composer.module.css"

/** Sends the saved campaign to one address, marked as a test (contract B1.7). */
export function openTest(campaign: Campaign): void {
  modals.open({ title: "Send a test", size: 420, children: <Test campaign={campaign} /> })
}

function Test({ campaign }: { campaign: Campaign }) {
  const { config, user } = useSession()
  const [last, setLast] = useTestAddress()
  const [to, setTo] = useState(last || (config.sandbox ? "" : user.email))
  const [fault, setFault] = useState<string | null>(null)

  const sending = useChange({
    send: (projectId, address: string) => testCampaign(projectId, campaign.id, address),
    failed(cause, client, projectId) {
      setFault(formatRefusal(cause))
      void refetchCampaign(client, projectId, campaign.id)
    },
    done(_client, _projectId, _output, address, isThere) {
      setLast(address)
      if (isThere) modals.closeAll()
      notifications.show({
        message: isCapturing(config) ? "The test is captured." : `The test is on its way to ${address}.`,
        autoClose: 5_000,
      })
    },
  })
  const send = () => {
    if (to.trim() === "") return setFault("To which address?")
    void sending.run(to.trim())
  }
  return (
    <Form className={styles.dialog} onSubmit={send}>
      <TextInput
        label="To"
        type="email"
        placeholder="you@example.com"
        data-autofocus
        value={to}
        error={fault}
        onChange={(event) => {
          setTo(event.currentTarget.value)
          setFault(null)
        }}
      />
      <Text size="xs" c="dimmed">
        {config.sandbox
          ? "It lands in the inbox of this sandbox. The report leaves it out, nobody becomes a contact."
          : "Tests go to members of the project. The report leaves them out, nobody becomes a contact."}
        {isCapturing(config) && ` ${capturing}`}
      </Text>
      <DialogActions loading={sending.isRunning}>Send</DialogActions>
    </Form>
  )
}
