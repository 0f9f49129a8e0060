import { Button } from "@mantine/core"
import { useState } from "react"
import { Link } from "wouter"
import { resetPassword } from "../../api/auth.ts"
import { faultOf } from "../../api/refusal.ts"
import { newPasswordFault, PasswordField } from "../../parts/password/password-field.tsx"
import { Form } from "../../ui/form.tsx"
import { EntryScreen, ToDashboard } from "./entry-screen.tsx"
import { useLink } from "./use-link.ts"

/** The target of the link in a mail: sets a new password, with which the user then signs in. */
export default function Reset() {
  const [password, setPassword] = useState("")
  const [fault, setFault] = useState<string | null>(null)
  const { state, change } = useLink({
    send: (token) => resetPassword(token, password),
    failed: (cause) => setFault(faultOf(cause, "newPassword")),
  })
  if (state === "done")
    return (
      <EntryScreen title="Your new password is set" text="You are signed out everywhere. Sign in with the new one.">
        <ToDashboard>Sign in</ToDashboard>
      </EntryScreen>
    )
  if (state === "invalid")
    return (
      <EntryScreen
        title="This link does not work any more"
        text="It works once, and for an hour. A newer link voids it too."
        foot={<Link href="/">Back to sign in</Link>}
      >
        <Button component={Link} href="/forgot" fullWidth>
          Get a new link
        </Button>
      </EntryScreen>
    )
  return (
    <EntryScreen title="Set a new password" text="All sessions of your account end, on every device.">
      <Form
        onSubmit={() => {
          const weak = newPasswordFault(password)
          setFault(weak)
          if (!weak) void change.run()
        }}
      >
        <PasswordField
          label="New password"
          isNew
          autoFocus
          value={password}
          error={fault}
          onChange={(text) => {
            setPassword(text)
            setFault(null)
          }}
        />
        <Button type="submit" fullWidth loading={change.isRunning}>
          Set the password
        </Button>
      </Form>
    </EntryScreen>
  )
}
