import { useQuery } from "@tanstack/react-query"
import { Link, Redirect } from "wouter"
import { signUp } from "../../api/auth.ts"
import { configQuery, userQuery } from "../../queries/session.ts"
import { Waiting } from "../../shell/status-screen.tsx"
import { AccountForm } from "./account-form.tsx"
import { EntryScreen, ToDashboard } from "./entry-screen.tsx"

/** Creates an account on a server that already has some. Whoever is signed in is led to the dashboard. */
export default function SignUp() {
  const { data: config } = useQuery(configQuery)
  const user = useQuery(userQuery)
  if (user.data) return <Redirect to="/" replace />
  if (user.isPending) return <Waiting />
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
