import { Button } from "@mantine/core"
import { useState } from "react"
import { confirmAddress } from "../../api/auth.ts"
import { reasonOf } from "../../api/refusal.ts"
import form from "../../ui/form.module.css"
import { Form } from "../../ui/form.tsx"
import { EntryScreen, ToDashboard } from "./entry-screen.tsx"
import { useLink } from "./use-link.ts"

/**
 * The target of the link in a mail that confirms a new or changed address. A person confirms, because programs that check
 * mail open its links, with scripts too (contract B8.2.17).
 */
export default function Verify() {
  const [fault, setFault] = useState<string | null>(null)
  const { state, change } = useLink({
    send: confirmAddress,
    failed: (cause) => setFault(reasonOf(cause)),
  })
  if (state === "done")
    return (
      <EntryScreen title="Your address is confirmed" text="Everything is open to you now.">
        <ToDashboard>Go on</ToDashboard>
      </EntryScreen>
    )
  if (state === "invalid")
    return (
      <EntryScreen title="Not confirmed" text={invalid}>
        <ToDashboard>To the dashboard</ToDashboard>
      </EntryScreen>
    )
  return (
    <EntryScreen
      title="Confirm your address"
      text="Did you ask for this link? If you did not, somebody else has used your address: close this page."
    >
      <Form onSubmit={() => void change.run()}>
        {fault && (
          <p className={form.failed} role="alert">
            {fault}
          </p>
        )}
        <Button type="submit" fullWidth loading={change.isRunning}>
          Confirm
        </Button>
      </Form>
    </EntryScreen>
  )
}

const invalid =
  "This link does not work any more: it works once, and for a day. You can ask for a new one once you are signed in."
