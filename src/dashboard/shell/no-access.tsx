import { Button } from "@mantine/core"
import { Link } from "wouter"
import type { User } from "../api/auth.ts"
import type { Project } from "../api/instance.ts"
import { addressOf } from "../context/session.ts"
import { Logo } from "../ui/logo.tsx"
import styles from "./status-screen.module.css"

/** Shown for a project that does not exist or that the user is not a member of, without telling which. */
export function NoAccess({ user, fallback }: { user: User; fallback: Project | undefined }) {
  return (
    <main className={styles.screen}>
      <span className={styles.logo}>
        <Logo size={44} />
      </span>
      <h1 className={styles.title}>This project is not open to you</h1>
      <p className={styles.text}>
        You are signed in as {user.email}, who is no member of it, or it is deleted. Its owner or an admin can add you.
      </p>
      {fallback && (
        <Button component={Link} href={addressOf(fallback.id)}>
          Go to {fallback.name}
        </Button>
      )}
    </main>
  )
}
