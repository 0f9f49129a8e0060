import styles from "./subscription.module.css"

export function Subscription({ subscribed }: { subscribed: boolean }) {
  return (
    <span className={styles.state} data-on={subscribed || undefined}>
      {subscribed ? "Subscribed" : "Unsubscribed"}
    </span>
  )
}
