import { NativeSelect } from "@mantine/core"
import { useState } from "react"
import type { LoggedRequest } from "../../api/requests.ts"
import { useRequests } from "../../queries/requests.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { dayTime } from "../../ui/format.ts"
import { More } from "../../ui/more.tsx"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./request-list.module.css"

interface RequestListProps {
  /** Null for the whole instance. */
  projectId: string | null
  /** The names of projects, if requests are of several. */
  names?: ReadonlyMap<string, string>
}

const outcomes = [
  { value: "", label: "Every outcome" },
  { value: "true", label: "Failed (400 and more)" },
  { value: "false", label: "Succeeded" },
]

/** The log of API requests, newest first, all or by their outcome. */
export function RequestList({ projectId, names }: RequestListProps) {
  const [outcome, setOutcome] = useState("")
  const failed = outcome === "" ? undefined : outcome === "true"
  const { query, rows: requests } = useRequests(projectId, failed)
  if (requests.length === 0 && query.isSuccess && failed === undefined)
    return <Notice text="There are no requests yet." />
  return (
    <>
      <NativeSelect
        className={styles.outcome}
        aria-label="Outcome of the requests"
        size="xs"
        data={outcomes}
        value={outcome}
        onChange={({ currentTarget: { value } }) => setOutcome(value)}
      />
      {query.isError && requests.length === 0 && (
        <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
      )}
      {query.isSuccess && requests.length === 0 && <Notice text="None of them." />}
      {requests.length > 0 && <RequestTable requests={requests} names={names} />}
      {query.hasNextPage && (
        <More
          label="Older requests"
          loading={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          load={() => void query.fetchNextPage()}
        />
      )}
    </>
  )
}

interface RequestTableProps {
  requests: readonly LoggedRequest[]
  names: RequestListProps["names"] | undefined
}

function RequestTable({ requests, names }: RequestTableProps) {
  const now = useNow()
  return (
    <ScrollRegion label="Log of requests" className={table.scroll}>
      <table className={`${table.table} ${table.inSection}`} aria-label="Requests">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Request</th>
            <th scope="col" className={table.number}>
              Status
            </th>
            <th scope="col" className={table.number}>
              Took
            </th>
            <th scope="col">By</th>
            {names && <th scope="col">Project</th>}
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <tr key={request.id}>
              <td>
                <When at={request.at} format={dayTime} now={now} />
              </td>
              <th scope="row" className={styles.route}>
                {request.method} {request.route}
              </th>
              <td className={table.number}>
                <span className={styles.status} data-failed={request.status >= 400 || undefined}>
                  {request.status}
                </span>
              </td>
              <td className={table.number}>{formatMs(request.durationMs)}</td>
              <td>{credentials[request.key]}</td>
              {names && <td>{projectOf(request, names)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const credentials: Record<LoggedRequest["key"], string> = {
  secret: "Secret key",
  public: "Public key",
  session: "Dashboard",
  none: "Nobody",
}

const formatMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en")} ms`

const projectOf = ({ projectId }: LoggedRequest, names: ReadonlyMap<string, string>): string =>
  projectId === null ? "" : (names.get(projectId) ?? "A deleted project")
