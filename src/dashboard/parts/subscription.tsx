import styles from "./subscription.module.css"

export function Subscription({ subscribed }: { subscribed: boolean }) {
  return (
    <span className={styles.state} data-on={subscribed || undefined} title={subscribed ? "Subscribed" : "Unsubscribed"}>
      <span className={styles.word}>{subscribed ? "Subscribed" : "Unsubscribed"}</span>
    </span>
  )
}
