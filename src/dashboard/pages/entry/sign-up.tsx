import { useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { signUp } from "../../api/auth.ts"
import { configQuery } from "../../queries/session.ts"
import { AccountForm } from "./account-form.tsx"
import { EntryScreen, ToDashboard } from "./entry-screen.tsx"

/** Creates an account on a server that already has some. */
export default function SignUp() {
  const { data: config } = useQuery(configQuery)
  if (config?.features.signup.signupsDisabled)
    return (
      <EntryScreen title="No new accounts" text="This server takes no new accounts. Its owner can let you in.">
        <ToDashboard>Sign in</ToDashboard>
      </EntryScreen>
    )
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
