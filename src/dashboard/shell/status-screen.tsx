import { Button, Loader } from "@mantine/core"
import { useEffect, useRef } from "react"
import { ApiError } from "../api/http.ts"
import { getConfig } from "../api/instance.ts"
import { Logo } from "../ui/logo.tsx"
import styles from "./status-screen.module.css"

interface StatusScreenProps {
  error: Error | null
  waiting: boolean
  retry(): void
}

/** What is shown instead of the dashboard while, or because, the server has not let us in. */
export function StatusScreen({ error, waiting, retry }: StatusScreenProps) {
  if (!error && waiting) {
    return (
      <div className={styles.screen}>
        <Loader color="gray" type="dots" aria-label="Loading" />
      </div>
    )
  }
  const { title, text, action } = reasonFor(error)
  return (
    <main className={styles.screen}>
      <span className={styles.logo}>
        <Logo size={44} />
      </span>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {action === "reload" ? (
        <Button onClick={() => location.assign("/app")}>Sign in again</Button>
      ) : action === "await" ? (
        <Awaiting heard={isSilence(error)} retry={retry} />
      ) : (
        <Button onClick={retry}>Try again</Button>
      )}
    </main>
  )
}

interface Reason {
  title: string
  text: string
  action: "reload" | "retry" | "await"
}

function reasonFor(error: Error | null): Reason {
  if (!error)
    return { title: "No project yet", text: "Create one with: mailstead project create NAME", action: "retry" }
  const status = error instanceof ApiError ? error.status : -1
  if (status === 401) return { title: "Your session has ended", text: "Open the dashboard anew.", action: "reload" }
  if (isSilence(error) || isUnfetched(error))
    return { title: "Mailstead does not answer", text: "Is the server running?", action: "await" }
  return { title: "Something went wrong", text: error.message, action: "retry" }
}

const isSilence = (error: Error | null): boolean => error instanceof ApiError && error.status === 0

/** A part of the dashboard that is loaded on demand did not come; each browser has its own words for that. */
const isUnfetched = (error: Error): boolean =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message)

/** How often a silent server is asked whether it is there again, in ms. */
const pause = 2_000

interface AwaitingProps {
  /** Whether its silence is known, and not only supposed. */
  heard: boolean
  retry(): void
}

/**
 * Tries again as soon as the server answers: before that a page that is loaded anew would be gone. By itself only once it
 * was silent, because what fails although it answers would fail time and again.
 */
function Awaiting({ heard, retry }: AwaitingProps) {
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  useEffect(() => {
    let wasSilent = heard
    const ask = async () => {
      const answers = await isThere()
      if (answers && wasSilent) latest.current()
      wasSilent ||= !answers
    }
    void ask()
    const timer = setInterval(() => void ask(), pause)
    return () => clearInterval(timer)
  }, [heard])
  return <Button onClick={async () => (await isThere()) && retry()}>Try again</Button>
}

const isThere = (): Promise<boolean> =>
  getConfig().then(
    () => true,
    (cause: unknown) => cause instanceof ApiError && cause.status > 0 && cause.status < 500,
  )
