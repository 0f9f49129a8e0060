import { useEffect, useRef, useState } from "react"
import { confirmAddress } from "../../api/auth.ts"
import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"
import { StatusScreen } from "../../shell/status-screen.tsx"
import { EntryScreen, ToDashboard } from "./entry-screen.tsx"
import { useToken } from "./token.ts"

/** The target of the link in a mail that confirms a new or changed address. */
export default function Verify() {
  const token = useToken()
  const [outcome, setOutcome] = useState<"waiting" | "done" | string>(token ? "waiting" : invalid)
  const wasSent = useRef(false)
  useEffect(() => {
    // the token works once, and in development effects run twice
    if (!token || wasSent.current) return
    wasSent.current = true
    confirmAddress(token).then(
      () => setOutcome("done"),
      (cause: unknown) => setOutcome(cause instanceof ApiError && cause.status === 400 ? invalid : reasonOf(cause)),
    )
  }, [token])
  if (outcome === "waiting") return <StatusScreen error={null} waiting retry={() => {}} />
  return outcome === "done" ? (
    <EntryScreen title="Your address is confirmed" text="Everything is open to you now.">
      <ToDashboard>Go on</ToDashboard>
    </EntryScreen>
  ) : (
    <EntryScreen title="Not confirmed" text={outcome}>
      <ToDashboard>To the dashboard</ToDashboard>
    </EntryScreen>
  )
}

const invalid =
  "This link does not work any more: it works once, and for a day. You can ask for a new one once you are signed in."
