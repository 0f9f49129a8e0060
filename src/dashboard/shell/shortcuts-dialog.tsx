import { Modal } from "@mantine/core"
import { type Command, commandGroups } from "../context/commands.tsx"
import { KeyCaps } from "../ui/keys.tsx"
import { useIsMounted } from "../ui/on-demand.tsx"
import styles from "./shortcuts.module.css"
import { paletteKey } from "./use-palette.tsx"

/** The list, which most pages have, before what is open. */
const groups = ["List", ...commandGroups.filter((group) => group !== "List")] as const

interface ShortcutsDialogProps {
  /** Null when it is closed. */
  shown: readonly Command[] | null
  onClose(): void
}

export default function ShortcutsDialog({ shown, onClose }: ShortcutsDialogProps) {
  const isMounted = useIsMounted()
  return (
    <Modal opened={isMounted && shown !== null} onClose={onClose} title="Keyboard shortcuts" size={620} centered>
      <div className={styles.columns}>
        {groups.map((group) => {
          const commands = shown?.filter((command) => command.group === group) ?? []
          return (
            commands.length > 0 && (
              <section key={group} className={styles.group}>
                <h3 className={styles.heading}>{group}</h3>
                <dl className={styles.list}>
                  {commands.map(({ id, label, keys }) => (
                    <Row key={id} label={label} keys={keys ?? []} />
                  ))}
                  {group === "View" && <Row label="Command palette" keys={[paletteKey]} />}
                </dl>
              </section>
            )
          )
        })}
      </div>
    </Modal>
  )
}

function Row({ label, keys }: { label: string; keys: readonly string[] }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>
        <KeyCaps keys={keys} />
      </dd>
    </div>
  )
}
