import { Button, Loader } from "@mantine/core"
import { useEffect, useRef } from "react"
import { ApiError } from "../api/http.ts"
import { getConfig } from "../api/instance.ts"
import { isLoadFailure } from "../api/refusal.ts"
import { Logo } from "../ui/logo.tsx"
import styles from "./status-screen.module.css"

interface StatusScreenProps {
  error: Error | null
  waiting: boolean
  retry(): void
}

/** Shown instead of the dashboard while the session loads, or when it cannot be loaded. */
export function StatusScreen({ error, waiting, retry }: StatusScreenProps) {
  if (!error && waiting) {
    return (
      <div className={styles.screen}>
        <Loader color="gray" type="dots" aria-label="Loading" />
      </div>
    )
  }
  const { title, text, action } = reasonFor(error ?? new Error("The server sent nothing."))
  return (
    <main className={styles.screen}>
      <span className={styles.logo}>
        <Logo size={44} />
      </span>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {action === "await" ? (
        <RetryWhenReachable wasUnreachable={isUnreachable(error)} retry={retry} />
      ) : (
        <Button onClick={retry}>Try again</Button>
      )}
    </main>
  )
}

/** While a screen is loaded. */
export const Waiting = () => <StatusScreen error={null} waiting retry={() => {}} />

interface Reason {
  title: string
  text: string
  action: "retry" | "await"
}

function reasonFor(error: Error): Reason {
  if (isUnreachable(error))
    return { title: "Mailstead does not answer", text: "Is the server running?", action: "await" }
  // an updated server has other files
  if (isLoadFailure(error))
    return { title: "Not loaded", text: "The server does not answer, or was updated meanwhile.", action: "await" }
  return { title: "Something went wrong", text: error.message, action: "retry" }
}

const isUnreachable = (error: Error | null): boolean => error instanceof ApiError && error.status === 0

/** How often an unreachable server is polled, in ms. */
const pause = 2_000

interface RetryProps {
  /** Whether the server is known to be unreachable, not only suspected. */
  wasUnreachable: boolean
  retry(): void
}

/**
 * Retries as soon as the server answers; reloading the page before that would lose it. Automatic only after the server
 * was unreachable: otherwise it would fail again and again.
 */
function RetryWhenReachable({ wasUnreachable, retry }: RetryProps) {
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  useEffect(() => {
    let wasDown = wasUnreachable
    const ask = async () => {
      const answers = await isReachable()
      if (answers && wasDown) latest.current()
      wasDown ||= !answers
    }
    void ask()
    const timer = setInterval(() => void ask(), pause)
    return () => clearInterval(timer)
  }, [wasUnreachable])
  return <Button onClick={async () => (await isReachable()) && retry()}>Try again</Button>
}

const isReachable = (): Promise<boolean> =>
  getConfig().then(
    () => true,
    (cause: unknown) => cause instanceof ApiError && cause.status > 0 && cause.status < 500,
  )
