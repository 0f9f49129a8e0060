import { Button, Text } from "@mantine/core"
import { useState } from "react"
import { givePassword } from "../../api/auth.ts"
import { isPasswordFresh, notePassword } from "../../context/password-given.ts"
import { useConfig } from "../../queries/session.ts"
import { useAccountChange } from "../../queries/use-change.ts"
import form from "../../ui/form.module.css"
import { Form } from "../../ui/form.tsx"
import { modals } from "../../ui/modals.ts"
import { useRefusedAttempt } from "./attempts.tsx"
import { PasswordField } from "./password-field.tsx"

/**
 * Asks for the password again before an action that a stranger at an unlocked screen must not perform. Resolves to
 * whether it was given; at once if that was recently. The sandbox has no password.
 */
export function useConfirmPassword(): (reason: string) => Promise<boolean> {
  const config = useConfig()
  return (reason) => {
    if (config.sandbox || isPasswordFresh()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const id = modals.open({
        title: "Your password, please",
        size: 400,
        onClose: () => resolve(false),
        children: (
          <ConfirmPassword
            reason={reason}
            onGiven={() => {
              resolve(true)
              modals.close(id)
            }}
          />
        ),
      })
    })
  }
}

function ConfirmPassword({ reason, onGiven }: { reason: string; onGiven(): void }) {
  const [password, setPassword] = useState("")
  const attempt = useRefusedAttempt("That is not your password.")
  const change = useAccountChange({
    send: () => givePassword(password),
    done() {
      notePassword()
      onGiven()
    },
    failed: attempt.refuse,
  })
  return (
    <Form
      onSubmit={() => {
        if (password !== "") void change.run()
      }}
    >
      <Text size="sm" c="dimmed">
        {reason}
      </Text>
      <PasswordField
        value={password}
        isFirst
        error={attempt.text}
        onChange={(text) => {
          setPassword(text)
          attempt.clear()
        }}
      />
      <div className={form.actions}>
        <Button type="submit" loading={change.isRunning} disabled={attempt.isLocked}>
          Continue
        </Button>
      </div>
    </Form>
  )
}
