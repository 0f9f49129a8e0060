import { Button } from "@mantine/core"
import { useState } from "react"
import { confirmAddress } from "../../api/auth.ts"
import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"
import { useAccountChange } from "../../queries/use-change.ts"
import { EntryScreen, ToDashboard } from "./entry-screen.tsx"
import { useToken } from "./token.ts"

/**
 * The target of the link in a mail that confirms a new or changed address. A person confirms, because programs that check
 * mail open its links, with scripts too (contract B8.2.17).
 */
export default function Verify() {
  const token = useToken()
  const [isDone, setDone] = useState(false)
  const [fault, setFault] = useState(token ? null : invalid)
  const change = useAccountChange({
    send: () => confirmAddress(token ?? ""),
    done: () => setDone(true),
    failed: (cause) => setFault(cause instanceof ApiError && cause.status === 400 ? invalid : reasonOf(cause)),
  })
  if (isDone)
    return (
      <EntryScreen title="Your address is confirmed" text="Everything is open to you now.">
        <ToDashboard>Go on</ToDashboard>
      </EntryScreen>
    )
  if (fault !== null)
    return (
      <EntryScreen title="Not confirmed" text={fault}>
        <ToDashboard>To the dashboard</ToDashboard>
      </EntryScreen>
    )
  return (
    <EntryScreen
      title="Confirm your address"
      text="Did you ask for this link? If you did not, somebody else has used your address: close this page."
    >
      <Button fullWidth loading={change.isRunning} onClick={() => void change.run()}>
        Confirm
      </Button>
    </EntryScreen>
  )
}

const invalid =
  "This link does not work any more: it works once, and for a day. You can ask for a new one once you are signed in."
