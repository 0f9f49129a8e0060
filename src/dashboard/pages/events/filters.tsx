import { Button, CloseButton, Popover, TextInput } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconUser } from "@tabler/icons-react"
import { ContactPicker } from "../../parts/contact-picker.tsx"
import { useContact } from "../../queries/contacts.ts"
import styles from "./events-page.module.css"
import type { EventView } from "./view.ts"

interface FiltersProps {
  view: EventView
  onView(part: Partial<EventView>): void
}

/** The filters by name, contact and period. */
export function Filters({ view, onView }: FiltersProps) {
  return (
    <>
      <ContactFilter key={view.contact} id={view.contact} onChoose={(contact) => onView({ contact })} />
      {(["from", "to"] as const).map((end) => (
        <TextInput
          key={end}
          className={styles.day ?? ""}
          type="date"
          size="sm"
          aria-label={end === "from" ? "From day" : "To day"}
          value={view[end]}
          onChange={(event) => onView({ [end]: event.currentTarget.value })}
        />
      ))}
    </>
  )
}

function ContactFilter({ id, onChoose }: { id: string; onChoose(id: string): void }) {
  const [opened, { toggle, close }] = useDisclosure(false)
  return (
    <span className={styles.contact}>
      <Popover
        opened={opened}
        onChange={(open) => !open && close()}
        width={320}
        position="bottom-start"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button variant="default" size="xs" h={34} leftSection={<IconUser size={15} stroke={1.7} />} onClick={toggle}>
            {id === "" ? "Every contact" : <Address id={id} />}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Events of a contact">
          <ContactPicker
            chosen={id || undefined}
            empty="There are no contacts yet."
            onChoose={(contact) => {
              close()
              onChoose(contact.id)
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {id !== "" && <CloseButton aria-label="Events of every contact" onClick={() => onChoose("")} />}
    </span>
  )
}

function Address({ id }: { id: string }) {
  const { data, isError } = useContact(id, undefined)
  return <>{data?.email ?? (isError ? "A contact that is gone" : "One contact")}</>
}
