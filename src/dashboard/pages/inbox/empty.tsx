import { useSession } from "../../context/session.ts"
import { SampleButton, SendGuide } from "../../parts/send-guide/send-guide.tsx"
import { KeyCaps } from "../../ui/keys.tsx"
import { Logo } from "../../ui/logo.tsx"
import styles from "./empty.module.css"

/** An inbox without mail: how to get the first one into it. */
export function EmptyInbox() {
  const { config, project } = useSession()
  return (
    <div className={styles.empty}>
      <div className={styles.inner}>
        <span className={styles.logo}>
          <Logo size={40} />
        </span>
        <h1 className={styles.title}>Waiting for your first mail</h1>
        <p className={styles.text}>
          {config.sandbox
            ? "Whatever your programs send lands here, and nowhere else. Try one of these, or let Mailstead send one."
            : "Mail that your programs send shows up here. Try one of these."}
        </p>
        <div className={styles.guide}>
          <SendGuide />
        </div>
        <SampleButton config={config} project={project} />
      </div>
    </div>
  )
}

/** The message side while no message is open. */
export function NothingOpen() {
  return (
    <div className={styles.nothing}>
      <p>No message open</p>
      <ul>
        <li>
          <KeyCaps keys={["j", "k"]} /> move
        </li>
        <li>
          <KeyCaps keys={["Enter"]} /> open
        </li>
        <li>
          <KeyCaps keys={["/"]} /> search
        </li>
        <li>
          <KeyCaps keys={["?"]} /> all keys
        </li>
      </ul>
    </div>
  )
}

export function ListError({ reason, onRetry }: { reason: string; onRetry(): void }) {
  return (
    <div className={styles.none} role="alert">
      <p>{reason}</p>
      <button type="button" className={styles.clear} onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

export function NothingFound({ onClear }: { onClear(): void }) {
  return (
    <div className={styles.none}>
      <p>No mail matches.</p>
      <button type="button" className={styles.clear} onClick={onClear}>
        Show all mail
      </button>
    </div>
  )
}
