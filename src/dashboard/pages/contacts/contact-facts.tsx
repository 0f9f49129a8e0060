import { UnstyledButton } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import type { Contact } from "../../api/contacts.ts"
import { listEmails } from "../../api/emails.ts"
import { everyEvent, listEvents } from "../../api/events.ts"
import { listSegmentsOf } from "../../api/segments.ts"
import { useSession } from "../../context/session.ts"
import { age } from "../../ui/format.ts"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./panel.module.css"

const names = ["Mails", "Events", "Last open", "Segments"] as const

/** The totals of a contact: mails, events, the last open, and its segments. */
export function ContactFacts({ contact: { id, updatedAt } }: { contact: Contact }) {
  const projectId = useSession().project.id
  const now = useNow()
  const { data, isError } = useQuery({
    queryKey: ["contact-facts", projectId, id, updatedAt],
    queryFn: ({ signal }) => factsOf(projectId, id, signal),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  if (!data && isError) return null
  const facts = data && {
    Mails: data.mails.toLocaleString("en"),
    Events: data.events.toLocaleString("en"),
    "Last open": data.lastOpen ? <When at={data.lastOpen} now={now} format={age} /> : "Never",
    Segments: data.segments.length === 0 ? "None" : <Segments segments={data.segments} />,
  }
  return (
    <dl className={styles.facts} aria-label="Facts">
      {names.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          {/* what is below stays where it is when they come */}
          <dd>{facts ? facts[name] : "…"}</dd>
        </div>
      ))}
    </dl>
  )
}

/** More are shown on request, so that what is below them stays in view. */
const segmentsAtFirst = 6

function Segments({ segments }: { segments: readonly { readonly id: string; readonly name: string }[] }) {
  const [all, setAll] = useState(false)
  const others = segments.length - segmentsAtFirst
  return (
    <>
      {(all ? segments : segments.slice(0, segmentsAtFirst)).map((segment, at) => (
        <span key={segment.id}>
          {at > 0 && ", "}
          <Link href={`/segments/${segment.id}`} dir="auto">
            {segment.name}
          </Link>
        </span>
      ))}
      {others > 0 && (
        <UnstyledButton className={styles.others ?? ""} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `and ${others.toLocaleString("en")} more`}
        </UnstyledButton>
      )}
    </>
  )
}

async function factsOf(projectId: string, contactId: string, signal: AbortSignal) {
  const every = { ...everyEvent, limit: 1, contactId }
  const [mails, events, opens, segments] = await Promise.all([
    listEmails(projectId, { limit: 1, contactId }, signal),
    listEvents(projectId, every, signal),
    listEvents(projectId, { ...every, eventName: "email.open" }, signal),
    listSegmentsOf(projectId, contactId, signal),
  ])
  return { mails: mails.total, events: events.total, lastOpen: opens.data[0]?.createdAt ?? null, segments }
}
