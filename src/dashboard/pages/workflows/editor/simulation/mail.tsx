import type { SimulatedStep } from "../../../../api/workflows.ts"
import { DataText } from "../../../../ui/data-details.tsx"
import { HtmlFrame } from "../../../../ui/html-frame.tsx"
import { modals } from "../../../../ui/modals.ts"
import styles from "./simulation.module.css"

type Mail = NonNullable<SimulatedStep["email"]>

/** A mail of a simulation as it would arrive. */
export const openMail = (email: Mail): void =>
  void modals.open({ title: email.subject, size: 720, children: <Mail email={email} /> })

function Mail({ email }: { email: Mail }) {
  const { to, from, fromName, html, text, error } = email
  return (
    <>
      <p className={styles.envelope}>
        From {fromName ? `${fromName} <${from}>` : from} to {to}
      </p>
      {error && <p className={styles.fault}>It would not be sent: {error}</p>}
      {html !== null ? (
        <HtmlFrame html={html} remote={false} title="Message body" className={styles.frame} />
      ) : (
        <DataText text={text ?? ""} />
      )}
    </>
  )
}
