import { IconAlertTriangle } from "@tabler/icons-react"
import { Link } from "wouter"
import { useSession } from "../../context/session.ts"
import { capturing, isCapturing } from "../../parts/capturing.ts"
import { useCampaigns } from "../../queries/campaigns.ts"
import { useDomains } from "../../queries/domains.ts"
import { useSecurityReport } from "../../queries/reputation.ts"
import styles from "./home-page.module.css"

interface Problem {
  readonly text: string
  readonly path: string
}

/** What needs attention, before anything else; nothing when all is well. */
export function Problems() {
  const problems = useProblems()
  if (problems.length === 0) return null
  return (
    <ul className={styles.problems} aria-label="Problems">
      {problems.map(({ text, path }) => (
        <li key={text}>
          <IconAlertTriangle size={16} stroke={1.8} aria-hidden="true" />
          <Link href={path}>{text}</Link>
        </li>
      ))}
    </ul>
  )
}

/** A campaign with at least so many failed mails in a hundred, and at least `few`, is a problem. */
const failedPercent = 5
const few = 5

function useProblems(): readonly Problem[] {
  const { config, user } = useSession()
  const { data: report } = useSecurityReport()
  const { data: domains = [] } = useDomains()
  const { data: campaigns } = useCampaigns({
    page: 1,
    pageSize: 20,
    sort: "createdAt",
    dir: "desc",
    search: "",
    status: null,
  })
  const texts = report ? [...report.status.violations, ...report.status.warnings] : []
  return [
    ...(isCapturing(config)
      ? [{ text: capturing, path: user.type === "OWNER" ? "~/app/instance/transports" : "/inbox" }]
      : []),
    ...texts.map((text) => ({ text, path: "/domains/reputation" })),
    ...domains
      .filter(({ verified, verifiedAt, inUse }) => !verified && (verifiedAt !== null || inUse))
      .map(({ id, domain, verifiedAt }) => ({
        text:
          verifiedAt === null
            ? `Mail is to be sent from ${domain}, which is not verified.`
            : `${domain} is no longer verified: its records are missing.`,
        path: `/domains/${id}`,
      })),
    ...(campaigns?.data ?? [])
      .filter(
        ({ failedCount, totalRecipients }) =>
          failedCount >= few && failedCount * 100 >= totalRecipients * failedPercent,
      )
      .map(({ id, name, failedCount }) => ({
        text: `${name}: ${failedCount.toLocaleString("en")} mails failed.`,
        path: `/campaigns/${id}`,
      })),
  ]
}
