import { useQuery } from "@tanstack/react-query"
import { needsSetup } from "../../api/auth.ts"
import { StatusScreen } from "../../shell/status-screen.tsx"
import { EntryScreen, ToDashboard } from "./entry-screen.tsx"
import FirstAccount from "./first-account.tsx"
import { useToken } from "./token.ts"

/** The target of the set-up link that the server prints at start. */
export default function Setup() {
  const setupToken = useToken()
  const setup = useQuery({ queryKey: ["setup"], queryFn: needsSetup })
  if (setup.data === undefined)
    return <StatusScreen error={setup.error} waiting={setup.isPending} retry={() => void setup.refetch()} />
  if (!setup.data)
    return (
      <EntryScreen title="This server is set up" text="Its first account has been made. Sign in with yours.">
        <ToDashboard>Sign in</ToDashboard>
      </EntryScreen>
    )
  return <FirstAccount setupToken={setupToken ?? undefined} onDone={() => location.assign("/app")} />
}
