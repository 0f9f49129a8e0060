import { Button } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { changePassword, type User } from "../../api/auth.ts"
import { ApiError } from "../../api/http.ts"
import { faultOf } from "../../api/refusal.ts"
import { notePassword } from "../../context/password-given.ts"
import { refetchSessions } from "../../queries/sessions.ts"
import { useAccountChange } from "../../queries/use-change.ts"
import form from "../../ui/form.module.css"
import { Form } from "../../ui/form.tsx"
import { useRefusedAttempt } from "../password/attempts.tsx"
import { newPasswordFault, PasswordField } from "../password/password-field.tsx"

export function PasswordForm({ user }: { user: User }) {
  const [present, setPresent] = useState("")
  const [next, setNext] = useState("")
  const [fault, setFault] = useState<string | null>(null)
  const attempt = useRefusedAttempt("That is not your password.")
  const change = useAccountChange({
    send: () => changePassword(present, next),
    done(client) {
      notePassword()
      setPresent("")
      setNext("")
      notifications.show({ message: "Your new password is set", autoClose: 3000 })
      return refetchSessions(client)
    },
    failed(cause) {
      if (cause instanceof ApiError && cause.status === 422) setFault(faultOf(cause, "newPassword"))
      else attempt.refuse(cause)
    },
  })
  return (
    <Form
      onSubmit={() => {
        const weak = newPasswordFault(next)
        setFault(weak)
        if (!weak && !attempt.isLocked) void change.run()
      }}
    >
      {/* for password managers, which change what they keep for this name */}
      <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        label="Present password"
        value={present}
        error={attempt.text}
        onChange={(text) => {
          setPresent(text)
          attempt.clear()
        }}
      />
      <PasswordField
        label="New password"
        isNew
        value={next}
        error={fault}
        onChange={(text) => {
          setNext(text)
          setFault(null)
        }}
      />
      <div className={form.actions} data-start>
        <Button
          type="submit"
          variant="default"
          loading={change.isRunning}
          disabled={present === "" || next === "" || attempt.isLocked}
        >
          Change the password
        </Button>
      </div>
    </Form>
  )
}
