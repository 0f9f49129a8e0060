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
  const ending = useAccountChange({
    send: (_projectId, id: string) => endSession(id),
    title: "Not ended",
    done: (client) => refetchSessions(client),
  })
  if (query.isError && !query.data)
    return <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
  return (
    <ul className={styles.list} aria-label="Sessions">
      {query.data?.map((session) => (
        <SessionRow
          key={session.id}
          session={session}
          onEnd={() => (session.current ? void signOut() : void ending.run(session.id))}
        />
      ))}
    </ul>
  )
}

function SessionRow({ session, onEnd }: { session: UserSession; onEnd(): void }) {
  const now = useNow()
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
        onClick={onEnd}
      >
        {session.current ? "Sign out" : "End"}
      </Button>
    </li>
  )
}
