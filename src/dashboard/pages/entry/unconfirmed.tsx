import { Button } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { requestConfirmation, signOut, type User } from "../../api/auth.ts"
import { useRefusedAttempt } from "../../parts/password/attempts.tsx"
import { useAccountChange } from "../../queries/use-change.ts"
import form from "../../ui/form.module.css"
import { EntryScreen } from "./entry-screen.tsx"
import { SignOutFoot } from "./sign-out-foot.tsx"

/** Replaces every page until the address is confirmed. */
export default function Unconfirmed({ user }: { user: User }) {
  const client = useQueryClient()
  const [isSent, setSent] = useState(false)
  const attempt = useRefusedAttempt()
  const change = useAccountChange({ send: requestConfirmation, done: () => setSent(true), failed: attempt.refuse })
  return (
    <EntryScreen
      title="Confirm your address"
      text={`A link is on its way to ${user.email}. Open it and confirm, then go on here.`}
      foot={<SignOutFoot user={user} onSignOut={() => void signOut()} />}
    >
      <div className={form.form}>
        {attempt.text && (
          <p className={form.failed} role="alert">
            {attempt.text}
          </p>
        )}
        <Button fullWidth onClick={() => void client.invalidateQueries()}>
          I have confirmed it
        </Button>
        <Button
          fullWidth
          variant="default"
          loading={change.isRunning}
          disabled={isSent || attempt.isLocked}
          onClick={() => void change.run()}
        >
          {isSent ? "Another link is on its way" : "Send the link again"}
        </Button>
      </div>
    </EntryScreen>
  )
}
