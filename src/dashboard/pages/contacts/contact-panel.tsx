import { Skeleton, Tabs, VisuallyHidden } from "@mantine/core"
import { IconArrowLeft, IconChevronDown, IconChevronUp, IconTrash, IconX } from "@tabler/icons-react"
import { useEffect, useRef, useState } from "react"
import type { Contact } from "../../api/contacts.ts"
import { isMissing } from "../../api/http.ts"
import { DataEditor, type FieldsView } from "../../parts/data/data-editor.tsx"
import { useContact } from "../../queries/contacts.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { lazyPart } from "../../ui/on-demand.tsx"
import tabs from "../../ui/tabs.module.css"
import { Tool } from "../../ui/tool.tsx"
import { ContactFacts } from "./contact-facts.tsx"
import { ContactHead } from "./contact-head.tsx"
import styles from "./panel.module.css"
import { isPart, type Part, parts } from "./parts.ts"

/** The actions of the bar above the open contact; absent ones are not available now. */
export interface PanelActions {
  back(): void
  next: (() => void) | undefined
  previous: (() => void) | undefined
  remove(contact: Contact): void
}

interface ContactPanelProps extends PanelActions {
  id: string
  /** The contact as the list has it. */
  listed: Contact | undefined
  part: Part
  onPart(part: Part): void
}

/** One contact: address and subscription, fields, mails and events. */
export default function ContactPanel({ id, listed, part, onPart, back, next, previous, remove }: ContactPanelProps) {
  const { data: contact, error, refetch } = useContact(id, listed)
  const isGone = isMissing(error)
  return (
    <article className={styles.panel} aria-label="Contact" aria-busy={!contact && !error}>
      <div className={styles.bar}>
        <div className={styles.back}>
          <Tool label="Back to the list" shortcut="u" icon={IconArrowLeft} run={back} />
        </div>
        <Tool label="Previous contact" shortcut="k" icon={IconChevronUp} run={previous} />
        <Tool label="Next contact" shortcut="j" icon={IconChevronDown} run={next} />
        <span className={styles.gap} />
        {!isGone && <Tool label="Delete" shortcut="#" icon={IconTrash} run={contact && (() => remove(contact))} />}
        <div className={styles.close}>
          <Tool label="Close" shortcut="Escape" icon={IconX} run={back} />
        </div>
      </div>
      {contact ? (
        <>
          <ContactHead key={contact.id} contact={contact} />
          {!isGone && <ContactFacts contact={contact} />}
          <Parts contact={contact} gone={isGone} part={part} onPart={onPart} />
        </>
      ) : isGone ? (
        <Notice failed text="This contact is not here. It was deleted, or belongs to another project." />
      ) : error ? (
        <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
      ) : (
        <div className={styles.skeleton} aria-hidden="true">
          <Skeleton height={40} width="70%" />
          <Skeleton height={56} />
          <Skeleton height={120} />
        </div>
      )}
    </article>
  )
}

interface RecordsProps {
  readonly contact: Contact
}

const timeline = () => import("./contact-timeline.tsx")

/** The parts with lists; each is mounted only while it is visible. */
const records = [
  ["activity", lazyPart<RecordsProps>(async () => ({ default: (await timeline()).ContactTimeline }))],
  ["emails", lazyPart<RecordsProps>(async () => ({ default: (await import("./contact-emails.tsx")).ContactEmails }))],
  ["events", lazyPart<RecordsProps>(async () => ({ default: (await timeline()).ContactEvents }))],
  [
    "workflows",
    lazyPart<RecordsProps>(async () => ({ default: (await import("./contact-workflows.tsx")).ContactWorkflows })),
  ],
] as const satisfies readonly (readonly [Part, unknown])[]

interface PartsProps {
  contact: Contact
  gone: boolean
  part: Part
  onPart(part: Part): void
}

function Parts({ contact, gone, part, onPart }: PartsProps) {
  // the editor stays mounted while emails or events are in view, so that its changes are not lost
  const isEditing = part === "fields" || part === "json"
  const [editing, setEditing] = useState<FieldsView>(isEditing ? part : "fields")
  if (isEditing && part !== editing) setEditing(part)
  const [isDirty, setDirty] = useState(false)
  const size = Object.keys(contact.data).length
  const bar = useRef<HTMLDivElement>(null)
  // On a narrow screen the tabs scroll.
  useEffect(() => {
    if (part) bar.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [part])
  return (
    <Tabs
      className={styles.tabs ?? ""}
      classNames={{ tab: tabs.tab ?? "", list: tabs.list ?? "" }}
      value={part}
      onChange={(value) => isPart(value) && onPart(value)}
      variant="none"
    >
      <div ref={bar} className={styles.tabBar}>
        <Tabs.List aria-label="Parts of the contact">
          {Object.entries(parts).map(([name, title]) => (
            <Tabs.Tab key={name} value={name}>
              {title}
              {name === "fields" && size > 0 && <span className={styles.count}>{size}</span>}
              {name === "fields" && isDirty && !isEditing && (
                <span className={styles.unsaved} title="Not saved">
                  <VisuallyHidden>, not saved</VisuallyHidden>
                </span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      <DataEditor
        contact={contact}
        view={editing}
        hidden={!isEditing}
        isGone={gone}
        onView={onPart}
        onDirty={setDirty}
      />
      {records.map(([name, Records]) => (
        <Tabs.Panel key={name} value={name} className={part === name ? (styles.scroll ?? "") : ""}>
          {part === name && <Records contact={contact} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
