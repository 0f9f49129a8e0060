import type { Email } from "../../api/emails.ts"
import { CopyButton } from "../../ui/copy.tsx"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import styles from "./headers-view.module.css"

/** The headers of the message, in order. */
export function HeadersView({ headers }: { headers: Email["headers"] }) {
  const entries = Object.entries(headers)
  const all = entries.map(([name, value]) => `${name}: ${value}`).join("\n")
  if (entries.length === 0) return <p className={styles.none}>This message has no headers of its own.</p>
  return (
    <ScrollRegion className={styles.view} label="Message headers">
      <table className={styles.table}>
        <tbody>
          {entries.map(([name, value], index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td className={styles.copy}>{index === 0 && <CopyButton text={all} label="Copy all headers" />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
