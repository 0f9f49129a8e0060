import { Link } from "wouter"
import { signUp } from "../../api/auth.ts"
import { AccountForm } from "./account-form.tsx"
import { EntryScreen } from "./entry-screen.tsx"

/** Creates an account on a server that already has some. */
export default function SignUp() {
  return (
    <EntryScreen
      title="Create your account"
      text="To work in somebody else's project, use the address they will add you with."
      foot={
        <>
          Have one already? <Link href="/">Sign in</Link>
        </>
      }
    >
      <AccountForm isNew button="Create account" send={signUp} onDone={() => location.assign("/app")} />
    </EntryScreen>
  )
}
