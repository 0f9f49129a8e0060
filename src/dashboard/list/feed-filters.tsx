import { Button, CloseButton, Popover, TextInput } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconUser } from "@tabler/icons-react"
import { ContactPicker } from "../parts/contact-picker.tsx"
import { useContact } from "../queries/contacts.ts"
import styles from "./feed-page.module.css"
import type { FeedView } from "./feed-view.ts"

interface FeedFiltersProps {
  /** `Events`. */
  title: string
  view: FeedView
  onView(part: Partial<FeedView>): void
}

/** The filters by contact and period. */
export function FeedFilters({ title, view, onView }: FeedFiltersProps) {
  return (
    <>
      <ContactFilter title={title} key={view.contact} id={view.contact} onChoose={(contact) => onView({ contact })} />
      {(["from", "to"] as const).map((end) => (
        <TextInput
          key={end}
          className={styles.day ?? ""}
          type="date"
          size="sm"
          leftSection={end === "from" ? "From" : "To"}
          leftSectionWidth={end === "from" ? 52 : 36}
          aria-label={end === "from" ? "From day" : "To day"}
          value={view[end]}
          onChange={(event) => onView({ [end]: event.currentTarget.value })}
        />
      ))}
    </>
  )
}

function ContactFilter({ title, id, onChoose }: { title: string; id: string; onChoose(id: string): void }) {
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
        <Popover.Dropdown aria-label={`${title} of a contact`}>
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
      {id !== "" && <CloseButton aria-label={`${title} of every contact`} onClick={() => onChoose("")} />}
    </span>
  )
}

function Address({ id }: { id: string }) {
  const { data, isError } = useContact(id, undefined)
  return <>{data?.email ?? (isError ? "A contact that is gone" : "One contact")}</>
}
