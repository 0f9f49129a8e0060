import { CopyButton } from "./copy.tsx"
import { ScrollRegion } from "./scroll-region.tsx"
import styles from "./snippet.module.css"

/** A block of code to copy. */
export function Snippet({ code, label }: { code: string; label: string }) {
  return (
    <div className={styles.snippet}>
      <ScrollRegion className={styles.code} label={label}>
        {code}
      </ScrollRegion>
      <div className={styles.copy}>
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
    </div>
  )
}

interface SettingsProps {
  label: string
  rows: readonly { name: string; value: string; note?: string }[]
}

/** Named values, each with a button that copies it. */
export function Settings({ label, rows }: SettingsProps) {
  return (
    <dl className={styles.settings} aria-label={label}>
      {rows.map(({ name, value, note }) => (
        <div key={name} className={styles.setting}>
          <dt>{name}</dt>
          <dd>
            <span className={styles.texts}>
              <span className={styles.value}>{value}</span>
              {note && <span className={styles.note}>{note}</span>}
            </span>
            <CopyButton text={value} label={`Copy ${name.toLowerCase()}`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
