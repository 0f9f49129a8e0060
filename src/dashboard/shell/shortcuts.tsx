import { Modal } from "@mantine/core"
import { IconKeyboard } from "@tabler/icons-react"
import { useState } from "react"
import { type Command, type CommandGroup, useCommands, useRegistry } from "../context/commands.tsx"
import { KeyCaps } from "../ui/keys.tsx"
import styles from "./shortcuts.module.css"

const groups: readonly CommandGroup[] = ["List", "Message", "Contact", "Segment", "Campaign", "Template", "View"]

/** How this machine writes the palette's key. */
export const paletteKey = navigator.platform.startsWith("Mac") ? "⌘ K" : "Ctrl K"

/** Offers `?`, and answers it with every key that does something. */
export function Shortcuts() {
  const registry = useRegistry()
  const [shown, setShown] = useState<readonly Command[] | null>(null)
  useCommands([
    {
      id: "shortcuts",
      label: "Keyboard shortcuts",
      group: "View",
      icon: IconKeyboard,
      keys: ["?"],
      run: () => setShown(registry.all().filter(({ keys }) => keys)),
    },
  ])
  return (
    <Modal opened={shown !== null} onClose={() => setShown(null)} title="Keyboard shortcuts" size={620} centered>
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
