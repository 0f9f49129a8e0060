import { signUp } from "../../api/auth.ts"
import { AccountForm } from "./account-form.tsx"
import { EntryScreen } from "./entry-screen.tsx"

interface FirstAccountProps {
  /** The token of the set-up link; not needed on the machine itself. */
  setupToken?: string | undefined
  onDone(): void
}

/** Creates the account of a new server's owner. */
export default function FirstAccount({ setupToken, onDone }: FirstAccountProps) {
  return (
    <EntryScreen
      title="Welcome to your mail server"
      text="The first account owns it: it sees every project, and can disable them."
    >
      <AccountForm
        isNew
        button="Create account"
        send={(account) => signUp({ ...account, ...(setupToken === undefined ? {} : { setupToken }) })}
        onDone={onDone}
      />
    </EntryScreen>
  )
}
