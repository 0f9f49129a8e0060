import { Button } from "@mantine/core"
import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-react"
import { endSession, signOut, type UserSession } from "../../api/auth.ts"
import { refetchSessions, useUserSessions } from "../../queries/sessions.ts"
import { useAccountChange } from "../../queries/use-change.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { age } from "../../ui/format.ts"
import { useNow, When } from "../../ui/when.tsx"
import { deviceOf } from "./device.ts"
import styles from "./session-list.module.css"

/** The sessions of the user; any of them can be ended. */
export function SessionList() {
  const query = useUserSessions()
  if (query.isError && !query.data)
    return <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
  return (
    <ul className={styles.list} aria-label="Sessions">
      {query.data?.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </ul>
  )
}

function SessionRow({ session }: { session: UserSession }) {
  const now = useNow()
  const ending = useAccountChange({
    send: () => endSession(session.id),
    title: "Not ended",
    done: (client) => refetchSessions(client),
    failed: (_cause, client) => refetchSessions(client),
  })
  const { name, isMobile } = deviceOf(session.userAgent)
  const Icon = isMobile ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={styles.session}>
      <Icon size={20} stroke={1.5} aria-hidden="true" className={styles.icon} />
      <span className={styles.about}>
        <span className={styles.name}>
          {name}
          {session.current && <span className={styles.current}>this one</span>}
        </span>
        <span className={styles.where}>
          {session.address} · signed in <When at={session.createdAt} format={age} now={now} />
        </span>
      </span>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${session.current ? "Sign out" : "End"}: ${name}`}
        loading={ending.isRunning}
        onClick={() => void (session.current ? signOut() : ending.run())}
      >
        {session.current ? "Sign out" : "End"}
      </Button>
    </li>
  )
}
