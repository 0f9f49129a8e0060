import { Link } from "wouter"
import type { User } from "../../api/auth.ts"
import styles from "./entry-screen.module.css"

interface SignOutFootProps {
  user: User
  /** Whether to show a link to the page of the account. */
  withAccount?: boolean
  onSignOut(): void
}

/** Shows the signed-in user with a sign-out button. */
export const SignOutFoot = ({ user, withAccount = false, onSignOut }: SignOutFootProps) => (
  <>
    You are {user.email}.{" "}
    {withAccount && (
      <>
        <Link href="/account">Your account</Link>
        {" · "}
        {user.type === "OWNER" && (
          <>
            <Link href="/instance">This server</Link>
            {" · "}
          </>
        )}
      </>
    )}
    <button type="button" className={styles.link} onClick={onSignOut}>
      Sign out
    </button>
  </>
)
