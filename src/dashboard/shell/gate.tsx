import { Button, Loader } from "@mantine/core"
import { ApiError } from "../http.ts"
import { Horn } from "../ui/logo.tsx"
import styles from "./gate.module.css"

interface GateProps {
  error: Error | null
  waiting: boolean
  retry(): void
}

/** What is shown instead of the dashboard while, or because, the server has not let us in. */
export function Gate({ error, waiting, retry }: GateProps) {
  if (!error && waiting) {
    return (
      <div className={styles.gate}>
        <Loader color="gray" type="dots" aria-label="Loading" />
      </div>
    )
  }
  const { title, text, action } = reasonFor(error)
  return (
    <main className={styles.gate}>
      <span className={styles.horn}>
        <Horn size={44} />
      </span>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {action === "reload" ? (
        <Button onClick={() => location.assign("/app")}>Sign in again</Button>
      ) : (
        <Button onClick={retry}>Try again</Button>
      )}
    </main>
  )
}

function reasonFor(error: Error | null): { title: string; text: string; action: "reload" | "retry" } {
  if (!error) return { title: "No project yet", text: "Create one with: posthorn project create NAME", action: "retry" }
  const status = error instanceof ApiError ? error.status : -1
  if (status === 401) return { title: "Your session has ended", text: "Open the dashboard anew.", action: "reload" }
  if (status === 0) return { title: "Posthorn does not answer", text: "Is the server running?", action: "retry" }
  return { title: "Something went wrong", text: error.message, action: "retry" }
}
