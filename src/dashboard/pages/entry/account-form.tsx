import { Button, TextInput } from "@mantine/core"
import { type ReactNode, useState } from "react"
import type { Credentials } from "../../api/auth.ts"
import { ApiError } from "../../api/http.ts"
import { type FaultTexts, refusalOf } from "../../api/refusal.ts"
import { notePassword } from "../../context/password-given.ts"
import { useRefusedAttempt } from "../../parts/password/attempts.tsx"
import { newPasswordFault, PasswordField } from "../../parts/password/password-field.tsx"
import { useAccountChange } from "../../queries/use-change.ts"
import form from "../../ui/form.module.css"
import { Form } from "../../ui/form.tsx"

interface AccountFormProps {
  /** Whether this form creates the account. */
  isNew?: boolean
  /** The address, if it is fixed. */
  email?: string
  button: string
  send(credentials: Credentials): Promise<void>
  onDone(): void
  /** Between the password and the button. */
  children?: ReactNode
}

/** Address and password. A refusal that concerns no field, such as too many attempts, is shown above the button. */
export function AccountForm({ isNew = false, email: only, button, send, onDone, children }: AccountFormProps) {
  const [email, setEmail] = useState(only ?? "")
  const [password, setPassword] = useState("")
  const [faults, setFaults] = useState<FaultTexts>({})
  const attempt = useRefusedAttempt()
  const change = useAccountChange({
    send: () => send({ email: email.trim(), password }),
    done() {
      notePassword()
      onDone()
    },
    failed(cause) {
      const { other, ...ofFields } = refusalOf(cause, {
        fields: ["email", "password"],
        ...(isNew ? { fieldOf: { "409 CONFLICT": "email" } } : {}),
      }).faults
      setFaults(ofFields)
      if (other !== undefined || !(cause instanceof ApiError)) attempt.refuse(cause)
    },
  })
  const editEmail = (text: string) => {
    setEmail(text)
    setFaults({})
    attempt.forget()
  }
  const editPassword = (text: string) => {
    setPassword(text)
    setFaults({})
    attempt.clear()
  }
  const submit = () => {
    const lacking: FaultTexts = {
      ...(email.trim() === "" ? { email: "Which address?" } : {}),
      ...(password === "" ? { password: isNew ? "Choose a password." : "And the password?" } : {}),
    }
    const weak = isNew && password !== "" ? newPasswordFault(password) : null
    const all = weak ? { ...lacking, password: weak } : lacking
    setFaults(all)
    if (Object.keys(all).length === 0 && !attempt.isLocked) void change.run()
  }
  return (
    <Form onSubmit={submit}>
      <TextInput
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        placeholder="ada@example.com"
        autoFocus={only === undefined}
        readOnly={only !== undefined}
        value={email}
        error={faults.email}
        onChange={(event) => editEmail(event.currentTarget.value)}
      />
      <PasswordField
        isNew={isNew}
        value={password}
        error={faults.password}
        autoFocus={only !== undefined}
        onChange={editPassword}
      />
      {children}
      {attempt.text && (
        <p className={form.failed} role="alert">
          {attempt.text}
        </p>
      )}
      <Button type="submit" fullWidth loading={change.isRunning} disabled={attempt.isLocked}>
        {button}
      </Button>
    </Form>
  )
}
