import { NativeSelect } from "@mantine/core"
import { keepPreviousData } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import type { Campaign } from "../../../api/campaigns.ts"
import { type EmailStatus, emailStatuses, listEmails } from "../../../api/emails.ts"
import { useSession } from "../../../context/session.ts"
import { formatMailError } from "../../../parts/mail-error.ts"
import { usePages } from "../../../queries/pages.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import { dayTime, sentenceCase } from "../../../ui/format.ts"
import { More } from "../../../ui/more.tsx"
import { Status } from "../../../ui/status.tsx"
import table from "../../../ui/table.module.css"
import { useNow, When } from "../../../ui/when.tsx"
import styles from "./report.module.css"

const shown = emailStatuses.filter((status) => status !== "RECEIVED")

/** The mails of the campaign, the latest first, all or those in one status. */
export function Mails({ campaign }: { campaign: Campaign }) {
  const { project } = useSession()
  const now = useNow()
  const [status, setStatus] = useState<EmailStatus | null>(null)
  const { query, rows: mails } = usePages({
    queryKey: ["campaign-mails", project.id, campaign.id, campaign.status, status],
    load: (cursor, signal) => listEmails(project.id, { limit: 20, cursor, status, campaignId: campaign.id }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: campaign.status === "SENDING" ? 3_000 : false,
  })
  return (
    <section className={styles.mails} aria-label="Mails">
      <header>
        <h2>Mails</h2>
        <NativeSelect
          aria-label="Status of the mails"
          size="xs"
          data={[
            { value: "", label: "Every status" },
            ...shown.map((value) => ({ value, label: sentenceCase(value) })),
          ]}
          value={status ?? ""}
          onChange={({ currentTarget: { value } }) => setStatus(shown.find((one) => one === value) ?? null)}
        />
      </header>
      {query.isError ? (
        <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
      ) : mails.length === 0 && query.isSuccess ? (
        <Notice text={status ? "None of them." : "No mail was created."} />
      ) : (
        <table className={table.table} aria-label="Mails">
          <tbody>
            {mails.map(({ id, to, status: state, error, createdAt }) => (
              <tr key={id}>
                <td className={styles.to}>
                  <Link href={`/inbox/${id}`}>{to}</Link>
                  {error && <span className={styles.error}>{formatMailError(error)}</span>}
                </td>
                <td>
                  <Status status={state} />
                </td>
                <td className={styles.at}>
                  <When at={createdAt} now={now} format={dayTime} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {query.hasNextPage && (
        <More
          label="More mails"
          loading={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          load={() => void query.fetchNextPage()}
        />
      )}
    </section>
  )
}
