import { useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "wouter"
import { needsSetup, signIn } from "../../api/auth.ts"
import type { Config } from "../../api/instance.ts"
import { StatusScreen } from "../../shell/status-screen.tsx"
import { AccountForm } from "./account-form.tsx"
import styles from "./entry-screen.module.css"
import { EntryScreen } from "./entry-screen.tsx"
import FirstAccount from "./first-account.tsx"

interface SignedOutProps {
  config: Config
  onSignedIn(): void
}

/** Replaces every page while nobody is signed in; on a server without accounts it creates the first one. */
export default function SignedOut({ config, onSignedIn }: SignedOutProps) {
  const setup = useQuery({ queryKey: ["setup"], queryFn: needsSetup })
  if (setup.data === undefined)
    return <StatusScreen error={setup.error} waiting={setup.isPending} retry={() => void setup.refetch()} />
  return setup.data ? <FirstAccount onDone={onSignedIn} /> : <SignIn config={config} onSignedIn={onSignedIn} />
}

function SignIn({ config, onSignedIn }: SignedOutProps) {
  const [location] = useLocation()
  const isDeep = !["/", "/sign-in"].includes(location)
  return (
    <EntryScreen
      title="Sign in"
      {...(isDeep ? { text: "You then get to the page that you asked for." } : {})}
      foot={
        config.features.signup.signupsDisabled ? (
          "This server takes no new accounts. Its owner can let you in."
        ) : (
          <>
            No account yet? <Link href="/sign-up">Create one</Link>
          </>
        )
      }
    >
      <AccountForm button="Sign in" send={signIn} onDone={onSignedIn}>
        <Link href="/forgot" className={styles.aside ?? ""}>
          Forgot your password?
        </Link>
      </AccountForm>
    </EntryScreen>
  )
}
