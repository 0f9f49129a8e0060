import { Button } from "@mantine/core"
import type { ReactNode } from "react"
import form from "./form.module.css"
import { modals } from "./modals.ts"

interface DialogActionsProps {
  /** The text of the button that closes the dialog. */
  cancel?: string
  /** Whether submitting destroys something. */
  destructive?: boolean
  disabled?: boolean
  loading?: boolean
  /** The text of the button that submits the form. */
  children: ReactNode
}

/** The buttons at the end of a form in a dialog. */
export const DialogActions = ({
  cancel = "Cancel",
  destructive = false,
  disabled = false,
  loading = false,
  children,
}: DialogActionsProps) => (
  <div className={form.actions}>
    <Button variant="default" onClick={() => modals.closeAll()}>
      {cancel}
    </Button>
    <Button type="submit" loading={loading} disabled={disabled} {...(destructive && { color: "red" })}>
      {children}
    </Button>
  </div>
)
