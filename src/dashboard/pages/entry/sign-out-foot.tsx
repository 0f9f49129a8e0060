import { Anchor } from "@mantine/core"
import type { User } from "../../api/auth.ts"

/** Shows the signed-in user with a sign-out button. */
export const SignOutFoot = ({ user, onSignOut }: { user: User; onSignOut(): void }) => (
  <>
    You are {user.email}.{" "}
    <Anchor component="button" type="button" size="sm" fw={550} onClick={onSignOut}>
      Sign out
    </Anchor>
  </>
)
