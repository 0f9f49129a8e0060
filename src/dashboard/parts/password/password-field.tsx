import { PasswordInput } from "@mantine/core"
import type { ReactNode } from "react"

/** The least length that the server accepts (contract B8.2). */
const least = 8

interface PasswordFieldProps {
  label?: string
  /** Whether a new password is set; then the field shows the requirements. */
  isNew?: boolean
  value: string
  error: ReactNode
  autoFocus?: boolean
  /** Whether the dialog that it is in gives it the focus, once that has noted where to give it back. */
  isFirst?: boolean
  onChange(password: string): void
}

/** A password field, marked for password managers as present or new. */
export function PasswordField({
  label = "Password",
  isNew = false,
  value,
  error,
  autoFocus = false,
  isFirst = false,
  onChange,
}: PasswordFieldProps) {
  return (
    <PasswordInput
      label={label}
      {...(isNew
        ? { description: `At least ${least} characters: three or four words that do not belong together are best.` }
        : {})}
      autoComplete={isNew ? "new-password" : "current-password"}
      value={value}
      error={error}
      autoFocus={autoFocus}
      data-autofocus={autoFocus || isFirst || undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": "Show what is typed", tabIndex: 0 }}
    />
  )
}

/** The fault of a new password, as far as it can be checked here. */
export const newPasswordFault = (password: string): string | null =>
  [...password].length < least ? `A password has at least ${least} characters.` : null
