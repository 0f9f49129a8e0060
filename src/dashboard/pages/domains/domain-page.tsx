import { Button } from "@mantine/core"
import { IconKey, IconRefresh, IconTrash } from "@tabler/icons-react"
import { useLocation } from "wouter"
import { checkDomain, type DnsRecord, type Domain, removeDomain, rotateDomainKey } from "../../api/domains.ts"
import { ApiError } from "../../api/http.ts"
import { mayManage, useSession } from "../../context/session.ts"
import { ItemPage } from "../../list/item-page.tsx"
import { PageHead } from "../../parts/page-head.tsx"
import { cacheDomain, dropDomain, useDomains } from "../../queries/domains.ts"
import { useChange } from "../../queries/use-change.ts"
import { confirm } from "../../ui/confirm.tsx"
import { age } from "../../ui/format.ts"
import { Section, SectionNote, Sections, SectionsPage } from "../../ui/section.tsx"
import { Settings, Snippet } from "../../ui/snippet.tsx"
import { StatusMark } from "../../ui/status.tsx"
import { useNow } from "../../ui/when.tsx"
import styles from "./domain-page.module.css"
import { DomainMark, isVouched } from "./domain-status.tsx"
import { isOwnKey, purposes, rotations, stateText, textOf, zoneFileOf } from "./record-texts.ts"
import { requirementsOf } from "./requirements.ts"

/** One sender domain: the records to publish, the records found, and what follows for its mail. */
export function DomainPage({ id }: { id: string }) {
  const query = useDomains()
  const known = query.data?.find((domain) => domain.id === id)
  const error = query.data && !known ? new ApiError(404, "") : query.error
  const named = known && { ...known, name: known.domain }
  return (
    <ItemPage title="Domains" noun="domain" path="/domains" query={{ data: named, error, refetch: query.refetch }}>
      {(domain) => <DomainView domain={domain} />}
    </ItemPage>
  )
}

function DomainView({ domain }: { domain: Domain }) {
  const { project } = useSession()
  const check = useChange({
    send: (projectId) => checkDomain(projectId, domain.id),
    title: "Not checked",
    done: cacheDomain,
  })
  const manages = mayManage(project) && !project.disabled
  const records = isVouched(domain) ? domain.records.filter((record) => !isOwnKey(record)) : domain.records
  return (
    <SectionsPage>
      <PageHead title={domain.domain} items={[{ path: "/domains", name: "All domains", current: false }]}>
        {!isVouched(domain) && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.7} />}
            loading={check.isRunning}
            onClick={() => void check.run()}
          >
            Check now
          </Button>
        )}
      </PageHead>
      <Sections>
        <State domain={domain} />
        <Section
          title="DNS records"
          text={
            isVouched(domain)
              ? "Nobody looks for them, because the domain is taken on the word of who runs this server. Its mail is not signed here, so there is no key among them."
              : "Put them into the DNS of the domain, where it was registered or is managed. They are looked for every few minutes."
          }
        >
          <ul className={styles.records}>
            {records.map((record) => (
              <RecordView key={`${record.purpose} ${record.name}`} record={record} isLookedFor={!isVouched(domain)} />
            ))}
          </ul>
        </Section>
        <Section title="All at once" text="The same records as a zone file has them, to copy or import.">
          <Snippet label="zone file" code={zoneFileOf(records)} />
        </Section>
        <Requirements domain={domain} />
        {manages && <NewKeys domain={domain} />}
        {manages && <Removal domain={domain} />}
      </Sections>
    </SectionsPage>
  )
}

function State({ domain }: { domain: Domain }) {
  const now = useNow()
  return (
    <Section title="State" text={checkedText(domain, now)}>
      <div className={styles.state} role="status">
        <DomainMark status={domain.status} />
        <span>{stateText(domain)}</span>
      </div>
    </Section>
  )
}

function checkedText(domain: Domain, now: number): string {
  if (isVouched(domain)) return "Verified by who runs this server: its records are not looked for."
  const { lastCheckedAt } = domain
  return lastCheckedAt === null ? "Not checked yet." : `Checked ${age(Date.parse(lastCheckedAt), now)}.`
}

function RecordView({ record, isLookedFor }: { record: DnsRecord; isLookedFor: boolean }) {
  const { purpose, type, name, value, priority, required, rotation, status, found } = record
  const title = `${purposes[purpose].name} record`
  return (
    <li aria-label={`${title} ${name}`}>
      <div className={styles.head}>
        <h3 className={styles.title}>{purposes[purpose].name}</h3>
        <span className={styles.need}>
          {rotation ? rotations[rotation].name : required ? "required" : "recommended"}
        </span>
        {rotation === "old" ? (
          <StatusMark tone="quiet" pill>
            Still published
          </StatusMark>
        ) : (
          isLookedFor && <DomainMark status={status} />
        )}
      </div>
      <p className={styles.text}>{textOf(record)}</p>
      <Settings
        label={title}
        rows={[
          { name: "Type", value: type },
          { name: "Name", value: name },
          { name: "Value", value },
          ...(priority === undefined ? [] : [{ name: "Priority", value: String(priority) }]),
        ]}
      />
      {found.length > 0 && (
        <div className={styles.found}>
          <p>{found.includes(value) ? "Only one of these may stay:" : "Found instead:"}</p>
          <ul>
            {found.map((other) => (
              <li key={other}>
                <code>{other}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  )
}

function Requirements({ domain }: { domain: Domain }) {
  return (
    <Section
      title="What providers ask"
      text="Gmail, Yahoo and Outlook ask this of everybody who sends some thousand messages a day."
    >
      <ul className={styles.requirements}>
        {requirementsOf(domain).map(({ name, text, isMet }) => (
          <li key={name}>
            <span>
              {isMet === undefined ? (
                <StatusMark tone="quiet">Depends</StatusMark>
              ) : (
                <StatusMark tone={isMet ? "good" : "warning"}>{isMet ? "Yes" : "Not yet"}</StatusMark>
              )}
            </span>
            <span>
              <strong className={styles.title}>{name}</strong>
              <span className={styles.text}>{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Nothing for a domain whose mail we do not sign, or that was verified by hand. */
function NewKeys({ domain: { id, records, lastCheckedAt } }: { domain: Domain }) {
  const rotate = useChange({
    send: (projectId) => rotateDomainKey(projectId, id),
    title: "No new keys",
    done: cacheDomain,
  })
  if (!records.some(isOwnKey) || lastCheckedAt === null) return null
  const isWaiting = records.some(({ rotation }) => rotation === "next")
  const ask = () =>
    confirm({
      title: "Make new DKIM keys?",
      text: "You then publish their records. Until those are found, mail is signed with the present keys.",
      confirm: "Make new keys",
      cancel: "Not now",
      onConfirm: () => void rotate.run(),
    })
  return (
    <Section
      title="New DKIM keys"
      text="Worth doing once a year, and at once when somebody else may know the present ones."
    >
      {isWaiting ? (
        <SectionNote>The new keys wait for their records, which are among those above.</SectionNote>
      ) : (
        <Button
          variant="default"
          loading={rotate.isRunning}
          leftSection={<IconKey size={16} stroke={1.7} />}
          onClick={ask}
        >
          Make new keys
        </Button>
      )}
    </Section>
  )
}

function Removal({ domain: { id, domain } }: { domain: Domain }) {
  const [, go] = useLocation()
  const removal = useChange({
    send: (projectId) => removeDomain(projectId, id),
    title: "Not removed",
    done(client, projectId, _output, _input, isThere) {
      if (isThere) go("/domains")
      dropDomain(client, projectId, id)
    },
  })
  const ask = () =>
    confirm({
      title: `Remove ${domain}?`,
      text: "No mail can be sent from it any more. Added again, it has other keys, and needs other records.",
      confirm: "Remove",
      onConfirm: () => void removal.run(),
    })
  return (
    <Section danger title="Remove" text="Not while a campaign that is planned or under way is sent from it.">
      <Button
        variant="default"
        loading={removal.isRunning}
        leftSection={<IconTrash size={16} stroke={1.7} />}
        onClick={ask}
      >
        Remove the domain
      </Button>
    </Section>
  )
}
