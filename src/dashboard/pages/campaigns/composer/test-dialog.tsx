import { Button, Text, TextInput } from "@mantine/core"
import { modals } from "@mantine/modals"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { type Campaign, testCampaign } from "../../../api/campaigns.ts"
import { useSession } from "../../../context/session.ts"
import { useTestAddress } from "../../../parts/content/test-address.ts"
import { formatRefusal } from "../faults.ts"
import styles from "./composer.module.css"

/** Sends the campaign as it is saved to one address, marked as a test (contract B1.7). */
export function openTest(campaign: Campaign): void {
  modals.open({ title: "Send a test", centered: true, size: 420, children: <Test campaign={campaign} /> })
}

function Test({ campaign }: { campaign: Campaign }) {
  const { config, project } = useSession()
  const [last, setLast] = useTestAddress()
  const [to, setTo] = useState(last)
  const [fault, setFault] = useState<string | null>(null)
  const [sending, setSending] = useState(false)

  const send = async () => {
    if (to.trim() === "") return setFault("To which address?")
    setSending(true)
    try {
      await testCampaign(project.id, campaign.id, to.trim())
      setLast(to.trim())
      modals.closeAll()
      notifications.show({ message: `The test is on its way to ${to.trim()}.`, autoClose: 5_000 })
    } catch (cause) {
      setFault(formatRefusal(cause))
      setSending(false)
    }
  }
  return (
    <form
      className={styles.dialog}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
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
          ? "It lands in the inbox of this sandbox. Nothing is counted, nobody becomes a contact."
          : "Tests go to members of the project. Nothing is counted, nobody becomes a contact."}
      </Text>
      <div className={styles.actions}>
        <Button variant="default" onClick={() => modals.closeAll()}>
          Cancel
        </Button>
        <Button type="submit" loading={sending}>
          Send
        </Button>
      </div>
    </form>
  )
}
