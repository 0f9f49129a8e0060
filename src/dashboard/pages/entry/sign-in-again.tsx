import { Text } from "@mantine/core"
import { signIn, type User } from "../../api/auth.ts"
import { AccountForm } from "./account-form.tsx"

/** Shown over a page whose session has ended. */
export default function SignInAgain({ user, onSignedIn }: { user: User; onSignedIn(): void }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        Sign in to go on where you are. Nothing that you typed is lost.
      </Text>
      <AccountForm email={user.email} button="Sign in" send={signIn} onDone={onSignedIn} />
    </>
  )
}
