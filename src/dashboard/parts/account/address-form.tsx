import { Button, TextInput } from "@mantine/core"
import { useState } from "react"
import { changeAddress, type User } from "../../api/auth.ts"
import { ApiError } from "../../api/http.ts"
import type { Config } from "../../api/instance.ts"
import { refusalOf } from "../../api/refusal.ts"
import { useAccountChange } from "../../queries/use-change.ts"
import form from "../../ui/form.module.css"
import { Form } from "../../ui/form.tsx"
import { SectionNote } from "../../ui/section.tsx"
import { useRefusedAttempt } from "../password/attempts.tsx"
import { PasswordField } from "../password/password-field.tsx"

/** Changes the address; the new one replaces the present one once it was confirmed by its link. */
export function AddressForm({ config, user }: { config: Config; user: User }) {
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const [fault, setFault] = useState<string | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const attempt = useRefusedAttempt("That is not your password.")
  const change = useAccountChange({
    send: () => changeAddress(email.trim(), password),
    done() {
      setSentTo(email.trim())
      setEmail("")
      setPassword("")
    },
    failed(cause) {
      const isOfAddress = cause instanceof ApiError && [409, 422].includes(cause.status)
      if (isOfAddress)
        setFault(
          refusalOf(cause, { fields: ["email"], fieldOf: { "409 CONFLICT": "email" } }).faults.email ?? cause.message,
        )
      else attempt.refuse(cause)
    },
  })
  return (
    <Form
      onSubmit={() => {
        if (email.trim() === "") setFault("Which address?")
        else if (!attempt.isLocked) void change.run()
      }}
    >
      {sentTo !== null && (
        <SectionNote>
          A link is on its way to {sentTo}. {user.email} stays your address until you confirm on the page of the link,
          which works for a day.
          {!config.features.systemMail.enabled &&
            " This server sends no such mail yet: its operator finds the link in the server's log."}
        </SectionNote>
      )}
      <TextInput
        label="New address"
        type="email"
        autoComplete="off"
        placeholder={user.email}
        value={email}
        error={fault}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setFault(null)
        }}
      />
      {email !== "" && (
        <PasswordField
          label="Your password"
          value={password}
          error={attempt.text}
          onChange={(text) => {
            setPassword(text)
            attempt.clear()
          }}
        />
      )}
      <div className={form.actions} data-start>
        <Button
          type="submit"
          variant="default"
          loading={change.isRunning}
          disabled={email.trim() === "" || password === "" || attempt.isLocked}
        >
          Change the address
        </Button>
      </div>
    </Form>
  )
}
