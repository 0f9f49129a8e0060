import { Button } from "@mantine/core"
import { useState } from "react"
import { Link } from "wouter"
import { resetPassword } from "../../api/auth.ts"
import { ApiError } from "../../api/http.ts"
import { faultOf } from "../../api/refusal.ts"
import { newPasswordFault, PasswordField } from "../../parts/password/password-field.tsx"
import { useAccountChange } from "../../queries/use-change.ts"
import { Form } from "../../ui/form.tsx"
import { EntryScreen, ToDashboard } from "./entry-screen.tsx"
import { useToken } from "./token.ts"

/** The target of the link in a mail: sets a new password, with which the user then signs in. */
export default function Reset() {
  const token = useToken()
  const [password, setPassword] = useState("")
  const [fault, setFault] = useState<string | null>(null)
  const [state, setState] = useState<"open" | "done" | "invalid">(token ? "open" : "invalid")
  const change = useAccountChange({
    send: () => resetPassword(token ?? "", password),
    done: () => setState("done"),
    failed(cause) {
      if (cause instanceof ApiError && cause.status === 400) setState("invalid")
      else setFault(faultOf(cause, "newPassword"))
    },
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
