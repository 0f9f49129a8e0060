import { Popover, Skeleton, UnstyledButton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { getCampaign } from "../../api/campaigns.ts"
import { getContact } from "../../api/contacts.ts"
import type { InboxRow, Source } from "../../api/inbox.ts"
import { getTemplate } from "../../api/templates.ts"
import { useSession } from "../../context/session.ts"
import { CopyButton } from "../../ui/copy.tsx"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import styles from "./origin.module.css"

/** The origin of a mail: the interface it was sent by, its project, contact, template and campaign. */
export function Origin({ email }: { email: InboxRow }) {
  const { project, projects } = useSession()
  const from = projects.find(({ id }) => id === email.projectId) ?? project
  return (
    <ul className={styles.origin} aria-label="Origin">
      <Fact
        name="Via"
        value={sourceNames[email.source]}
        details={[
          ["Message-ID", email.messageId],
          ["Email id", email.id],
          ["Type", email.type],
        ]}
      />
      <Fact
        name="Project"
        value={from.name}
        details={[
          ["Project id", from.id],
          ["Public key", from.public],
        ]}
      />
      {email.contactId && (
        <ContactFact
          projectId={email.projectId}
          id={email.contactId}
          address={email.source === "INBOUND" ? email.from : email.to}
        />
      )}
      {email.templateId && <TemplateFact projectId={email.projectId} id={email.templateId} />}
      {email.campaignId && <CampaignFact projectId={email.projectId} id={email.campaignId} />}
      {email.workflowExecutionId && (
        <Fact
          name="Workflow run"
          value={shortId(email.workflowExecutionId)}
          details={[["Execution id", email.workflowExecutionId]]}
        />
      )}
    </ul>
  )
}

const sourceNames = {
  INBOUND: "Another server",
  SMTP: "SMTP",
  API: "API",
  CAMPAIGN: "Campaign",
  WORKFLOW: "Workflow",
} as const satisfies Record<Source, string>

function ContactFact({ projectId, id, address }: { projectId: string; id: string; address: string }) {
  const { data, isPending } = useQuery({
    queryKey: ["contact", projectId, id],
    queryFn: () => getContact(projectId, id),
    retry: false,
  })
  return (
    <Fact
      name="Contact"
      value={data?.email ?? address}
      waiting={isPending}
      details={[
        ["Contact id", id],
        ["Subscribed", data ? (data.subscribed ? "yes" : "no") : null],
      ]}
    >
      {data && <Way to={`/contacts/${id}`} text="Open the contact" />}
      {data && Object.keys(data.data).length > 0 && (
        <ScrollRegion className={styles.data} label="Contact data">
          {JSON.stringify(data.data, null, 2)}
        </ScrollRegion>
      )}
    </Fact>
  )
}

function TemplateFact({ projectId, id }: { projectId: string; id: string }) {
  const { data, isPending } = useQuery({
    queryKey: ["template", projectId, id],
    queryFn: () => getTemplate(projectId, id),
    retry: false,
  })
  return (
    <Fact
      name="Template"
      value={data?.name ?? shortId(id)}
      waiting={isPending}
      details={[
        ["Template id", id],
        ["Subject", data?.subject ?? null],
        ["Type", data?.type ?? null],
      ]}
    >
      {data && <Way to={`/templates/${id}`} text="Open the template" />}
    </Fact>
  )
}

function CampaignFact({ projectId, id }: { projectId: string; id: string }) {
  const { data, isPending } = useQuery({
    queryKey: ["campaign", projectId, id],
    queryFn: ({ signal }) => getCampaign(projectId, id, signal),
    retry: false,
    // the mails of a campaign are read one after another
    staleTime: 30_000,
  })
  return (
    <Fact name="Campaign" value={data?.name ?? shortId(id)} waiting={isPending} details={[["Campaign id", id]]}>
      {data && <Way to={`/campaigns/${id}`} text="Open the campaign" />}
    </Fact>
  )
}

const Way = ({ to, text }: { to: string; text: string }) => (
  <Link href={to} className={styles.way ?? ""}>
    {text}
  </Link>
)

interface FactProps {
  name: string
  value: string
  waiting?: boolean
  /** Shown on a click; entries without a value are left out. */
  details: readonly (readonly [name: string, value: string | null])[]
  children?: ReactNode
}

function Fact({ name, value, waiting = false, details, children }: FactProps) {
  return (
    <li>
      <Popover position="bottom-start" shadow="md" width={360} trapFocus withinPortal>
        <Popover.Target>
          <UnstyledButton className={styles.fact ?? ""}>
            <span className={styles.name}>{name}</span>
            {waiting ? <Skeleton height={10} width={90} radius="sm" /> : <span className={styles.value}>{value}</span>}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={`${name} details`}>
          <dl className={styles.details}>
            {details.map(
              ([label, text]) =>
                text !== null && (
                  <div key={label} className={styles.detail}>
                    <dt>{label}</dt>
                    <dd>{text}</dd>
                    {text.length > 8 && <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />}
                  </div>
                ),
            )}
          </dl>
          {children}
        </Popover.Dropdown>
      </Popover>
    </li>
  )
}

const shortId = (id: string): string => `${id.slice(0, 4)}…${id.slice(-6)}`
