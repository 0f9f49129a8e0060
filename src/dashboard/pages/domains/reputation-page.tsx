import { useDocumentTitle } from "@mantine/hooks"
import type { LimitedFigure, SecurityReport } from "../../api/reputation.ts"
import { useSession } from "../../context/session.ts"
import { PageHead } from "../../parts/page-head.tsx"
import { useSecurityReport } from "../../queries/reputation.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import { Section, SectionNote, Sections, SectionsPage } from "../../ui/section.tsx"
import { StatusMark, type Tone } from "../../ui/status.tsx"
import table from "../../ui/table.module.css"
import { domainTabs } from "./tabs.ts"

/** How much of the project's mail bounces or is complained about, and at which values that has consequences. */
export function ReputationPage() {
  const { project } = useSession()
  useDocumentTitle(`Reputation · ${project.name} · Mailstead`)
  const { data, isError, error, refetch } = useSecurityReport()
  return (
    <SectionsPage>
      <PageHead title="Domains" items={domainTabs("/domains/reputation")} />
      {data ? (
        <Report report={data} />
      ) : isError ? (
        <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
      ) : null}
    </SectionsPage>
  )
}

function Report({ report }: { report: SecurityReport }) {
  const { limits, status } = report
  return (
    <Sections>
      <Section title="State" text={volumeOf(status)}>
        <SectionNote>{stateOf(report)}</SectionNote>
        {[...status.violations, ...status.warnings].map((finding) => (
          <SectionNote key={finding}>{finding}</SectionNote>
        ))}
      </Section>
      <Section
        title="Rates"
        text="They count once there are 100 mails, and 5 bounces or 3 complaints. From the second limit on the project is disabled, unless whoever runs this server has turned that off."
      >
        <Limits label="Rates" status={status} figures={limits.filter(({ unit }) => unit === "percent")} />
      </Section>
      {status.isNewProject && (
        <Section
          title="While it is new"
          text="In the first 30 days of a project, the numbers have limits too, however much it sends."
        >
          <Limits label="While it is new" status={status} figures={limits.filter(({ unit }) => unit === "count")} />
        </Section>
      )}
    </Sections>
  )
}

const volumeOf = ({ sevenDay, allTime }: SecurityReport["status"]): string =>
  `${count(sevenDay.total, "mail")} in the last 7 days, ${count(allTime.total, "mail")} in all.`

function stateOf({ status, isDisabled }: SecurityReport): string {
  if (isDisabled) return "The project is disabled."
  if (status.shouldDisable) return "A limit is exceeded."
  return status.isHealthy ? "All figures are below their limits." : "A figure is high enough for a warning."
}

const marks: Record<LimitedFigure["level"], { tone: Tone; name: string }> = {
  healthy: { tone: "good", name: "Good" },
  warning: { tone: "warning", name: "High" },
  critical: { tone: "bad", name: "Too high" },
}

const windows: Record<LimitedFigure["window"], string> = {
  twentyFourHour: "24 hours",
  sevenDay: "7 days",
  allTime: "all time",
}

const nameOf = ({ metric, window }: LimitedFigure): string =>
  `${metric === "bounce" ? "Bounces" : "Complaints"}, ${windows[window]}`

/** A rate of fewer mails tells nothing (contract B9.4.2). */
const leastMails = 100

interface LimitsProps {
  label: string
  status: SecurityReport["status"]
  figures: readonly LimitedFigure[]
}

function Limits({ label, status, figures }: LimitsProps) {
  return (
    <ScrollRegion label={label} className={table.scroll}>
      <table className={`${table.table} ${table.inSection}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">State</th>
            <th scope="col" className={table.number}>
              Now
            </th>
            <th scope="col" className={table.number}>
              Warns at
            </th>
            <th scope="col" className={table.number}>
              Disabled at
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => {
            const show = (value: number) => (figure.unit === "percent" ? `${value}%` : value.toLocaleString("en"))
            return (
              <tr key={nameOf(figure)}>
                <th scope="row">{nameOf(figure)}</th>
                <td>
                  {figure.unit === "percent" && status[figure.window].total < leastMails ? (
                    <StatusMark tone="quiet">Too few mails</StatusMark>
                  ) : (
                    <StatusMark tone={marks[figure.level].tone}>{marks[figure.level].name}</StatusMark>
                  )}
                </td>
                <td className={table.number}>{show(figure.value)}</td>
                <td className={`${table.number} ${table.quiet}`}>{show(figure.warning)}</td>
                <td className={`${table.number} ${table.quiet}`}>{show(figure.critical)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
