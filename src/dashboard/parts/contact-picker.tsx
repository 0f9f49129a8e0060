import { TextInput, UnstyledButton } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconCheck } from "@tabler/icons-react"
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import { type KeyboardEvent, useState } from "react"
import { listContacts } from "../api/contacts.ts"
import { useSession } from "../context/session.ts"
import styles from "./contact-picker.module.css"

const offered = 6

interface ContactPickerProps {
  chosen: string | undefined
  /** Shown while the project has no contacts. */
  empty: string
  onChoose(contact: { id: string; email: string }): void
}

/** Finds a contact by part of its address or of a field's value; Enter chooses the first one found. */
export function ContactPicker({ chosen, empty, onChoose }: ContactPickerProps) {
  const projectId = useSession().project.id
  const [text, setText] = useState("")
  const [search] = useDebouncedValue(text.trim(), 150)
  const client = useQueryClient()
  const matching = (search: string) =>
    queryOptions({
      queryKey: ["contact-picker", projectId, search],
      queryFn: ({ signal }) =>
        listContacts(projectId, { search, subscribed: null, sort: "createdAt", dir: "desc", limit: offered }, signal),
      staleTime: 10_000,
    })
  const { data } = useQuery({ ...matching(search), placeholderData: keepPreviousData })
  /** Chooses by the current text, which may be newer than the list in view. */
  const takeFirst = async () => {
    const first = (await client.fetchQuery(matching(text.trim())).catch(() => null))?.data[0]
    if (first) onChoose({ id: first.id, email: first.email })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field and the buttons in it
    <div onKeyDown={moveFocus}>
      <TextInput
        size="sm"
        data-autofocus
        aria-label="Find a contact"
        placeholder="Part of an address"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return
          // not the form around it
          event.preventDefault()
          void takeFirst()
        }}
      />
      <ul className={styles.contacts} aria-label="Contacts">
        {data?.data.map(({ id, email }) => (
          <li key={id}>
            <UnstyledButton
              className={styles.contact ?? ""}
              aria-pressed={id === chosen}
              onClick={() => onChoose({ id, email })}
            >
              <span>{email}</span>
              {id === chosen && <IconCheck size={15} stroke={1.8} />}
            </UnstyledButton>
          </li>
        ))}
        {data?.data.length === 0 && <li className={styles.none}>{search ? "No contact matches." : empty}</li>}
      </ul>
    </div>
  )
}

/** The arrow keys move the focus from the field through the contacts and back. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, button")]
  stops[stops.findIndex((stop) => stop.matches(":focus")) + step]?.focus()
}
