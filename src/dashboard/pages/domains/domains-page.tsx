import { Button, TextInput } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { useState } from "react"
import { Link, useLocation } from "wouter"
import { addDomain, type Domain } from "../../api/domains.ts"
import { faultOf } from "../../api/refusal.ts"
import { mayManage, useSession } from "../../context/session.ts"
import { LinkRow } from "../../list/link-row.tsx"
import { PageHead } from "../../parts/page-head.tsx"
import { cacheDomain, useDomains } from "../../queries/domains.ts"
import { useChange } from "../../queries/use-change.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { Form } from "../../ui/form.tsx"
import { age, count } from "../../ui/format.ts"
import { Section, SectionNote, Sections, SectionsPage } from "../../ui/section.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import { DomainMark, isVouched } from "./domain-status.tsx"
import styles from "./domains.module.css"
import { domainTabs } from "./tabs.ts"

/** The domains that mail of the project may come from. */
export function DomainsPage() {
  const { project, config } = useSession()
  const { data: domains, error, refetch } = useDomains()
  useDocumentTitle(`Domains · ${project.name} · Mailstead`)
  const manages = mayManage(project)
  return (
    <SectionsPage>
      <PageHead
        title="Domains"
        summary={domains ? count(domains.length, "domain") : ""}
        {...(config.sandbox ? {} : { items: domainTabs("/domains") })}
      />
      <Sections>
        <Section
          title="Add a domain"
          text="The part behind the @ of your senders. Its owner shows with DNS records that mail of it may come from here."
        >
          {manages && !project.disabled ? (
            <AddDomain />
          ) : (
            <SectionNote>
              {project.disabled
                ? "This project is disabled: nothing can be added to it."
                : "The owner and the admins of this project can add domains."}
            </SectionNote>
          )}
        </Section>
        <Section
          title="Your domains"
          text={
            config.sandbox
              ? "The sandbox takes mail from any domain; a server sends only from one that is verified."
              : "Mail leaves only from a domain that is verified."
          }
        >
          {error && !domains ? (
            <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
          ) : domains?.length === 0 ? (
            <SectionNote>There is none yet.</SectionNote>
          ) : (
            domains && <DomainTable domains={domains} />
          )}
        </Section>
      </Sections>
    </SectionsPage>
  )
}

/** The domain in an address of a page or of mail that was pasted in its place. */
const domainIn = (text: string): string =>
  text
    .trim()
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/[/?#].*$/, "")
    .replace(/^.*@/, "")

function AddDomain() {
  const [name, setName] = useState("")
  const [fault, setFault] = useState<string | null>(null)
  const [, go] = useLocation()
  const change = useChange({
    send: (projectId) => addDomain(projectId, domainIn(name)),
    done(client, projectId, added, _input, isThere) {
      cacheDomain(client, projectId, added)
      if (isThere) go(`/domains/${added.id}`)
    },
    failed: (cause) => setFault(faultOf(cause, "domain")),
  })
  return (
    <Form
      onSubmit={() => {
        if (name.trim() === "") setFault("Which domain?")
        else void change.run()
      }}
    >
      <div className={styles.add}>
        <TextInput
          className={styles.name}
          label="Domain"
          placeholder="example.com"
          autoCapitalize="none"
          spellCheck={false}
          value={name}
          error={fault}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value)
            setFault(null)
          }}
        />
        <Button type="submit" className={styles.submit ?? ""} loading={change.isRunning}>
          Add
        </Button>
      </div>
    </Form>
  )
}

function DomainTable({ domains }: { domains: readonly Domain[] }) {
  const now = useNow()
  return (
    <table className={`${table.table} ${table.inSection} ${styles.table}`} aria-label="Domains">
      <thead>
        <tr>
          <th scope="col">Domain</th>
          <th scope="col">State</th>
          <th scope="col" className={styles.checked}>
            Checked
          </th>
        </tr>
      </thead>
      <tbody>
        {domains.map((one) => (
          <LinkRow key={one.id}>
            <td className={styles.domain}>
              <Link href={`/domains/${one.id}`} dir="ltr">
                {one.domain}
              </Link>
            </td>
            <td>
              <DomainMark status={one.status} />
            </td>
            <td className={`${table.quiet} ${styles.checked}`}>
              <Checked domain={one} now={now} />
            </td>
          </LinkRow>
        ))}
      </tbody>
    </table>
  )
}

function Checked({ domain, now }: { domain: Domain; now: number }) {
  if (isVouched(domain)) return "never"
  return domain.lastCheckedAt === null ? "not yet" : <When at={domain.lastCheckedAt} format={age} now={now} />
}
