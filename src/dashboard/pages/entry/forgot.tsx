import { Button, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { requestPasswordReset } from "../../api/auth.ts"
import { getConfig } from "../../api/instance.ts"
import { useRefusedAttempt } from "../../parts/password/attempts.tsx"
import { useAccountChange } from "../../queries/use-change.ts"
import { Form } from "../../ui/form.tsx"
import { EntryScreen } from "./entry-screen.tsx"

/** Requests a link to set a new password. The result does not reveal whether there is such an account. */
export default function Forgot() {
  const { data: config } = useQuery({ queryKey: ["config"], queryFn: getConfig })
  const [email, setEmail] = useState("")
  const [fault, setFault] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const attempt = useRefusedAttempt()
  const change = useAccountChange({
    send: () => requestPasswordReset(email.trim()),
    done: () => setSent(true),
    failed: attempt.refuse,
  })
  const back = <Link href="/">Back to sign in</Link>
  if (isSent)
    return (
      <EntryScreen
        title="Look into your mail"
        text={
          <>
            If there is an account with {email.trim()}, a link to set a new password is on its way. It works once, for
            an hour.
            {config?.features.systemMail.enabled === false &&
              " This server sends no such mail yet: its operator finds the link in the server's log."}
          </>
        }
        foot={back}
      />
    )
  return (
    <EntryScreen title="Forgot your password?" text="A link to set a new one goes to your address." foot={back}>
      <Form
        onSubmit={() => {
          if (email.trim() === "") setFault("Which address?")
          else if (!attempt.isLocked) void change.run()
        }}
      >
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          placeholder="ada@example.com"
          autoFocus
          value={email}
          error={fault ?? attempt.text}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setFault(null)
            attempt.clear()
          }}
        />
        <Button type="submit" fullWidth loading={change.isRunning} disabled={attempt.isLocked}>
          Send the link
        </Button>
      </Form>
    </EntryScreen>
  )
}
