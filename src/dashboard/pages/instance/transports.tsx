import type { InstanceTransport } from "../../api/instance.ts"
import { capturing, isCapturing } from "../../parts/capturing.ts"
import { useInstanceTransports } from "../../queries/instance.ts"
import { useConfig } from "../../queries/session.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { age } from "../../ui/format.ts"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import { Section, SectionNote, Sections } from "../../ui/section.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./transports.module.css"

/** What each transport did with the mail of the last hour. */
export default function Transports() {
  const config = useConfig()
  const { data, isError, error, refetch } = useInstanceTransports()
  if (!data)
    return isError ? <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} /> : null
  return (
    <Sections>
      <Section
        title="The last hour"
        text="What became of the mail that was handed to each, counted since the server has started, and how much it takes now."
      >
        {isCapturing(config) && <SectionNote>{capturing}</SectionNote>}
        {data.length > 0 && <TransportTable transports={data} />}
      </Section>
      {data.length > 0 && <LastErrors transports={data} />}
    </Sections>
  )
}

const counts = [
  { name: "Sent", key: "sent" },
  { name: "Deferred", key: "deferred" },
  { name: "Rejected", key: "rejected" },
  { name: "Unknown", key: "unknown" },
] as const

function TransportTable({ transports }: { transports: readonly InstanceTransport[] }) {
  return (
    <ScrollRegion label="Transports" className={table.scroll}>
      <table className={`${table.table} ${table.inSection}`} aria-label="Transports">
        <thead>
          <tr>
            <th scope="col">Transport</th>
            {counts.map(({ name }) => (
              <th scope="col" className={table.number} key={name}>
                {name}
              </th>
            ))}
            <th scope="col" className={table.number}>
              Now
            </th>
          </tr>
        </thead>
        <tbody>
          {transports.map((transport) => (
            <tr key={`${transport.name} ${transport.lanes.join()}`}>
              <th scope="row">
                <bdi>{transport.name}</bdi>
                <span className={`${table.quiet} ${styles.lanes}`}>{transport.lanes.join(", ")}</span>
              </th>
              {counts.map(({ key }) => (
                <td className={table.number} key={key}>
                  {transport[key].toLocaleString("en")}
                </td>
              ))}
              <td className={table.number}>{`${transport.perSecond.toLocaleString("en")}/s`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** The last one of each transport, whenever it was. */
function LastErrors({ transports }: { transports: readonly InstanceTransport[] }) {
  const now = useNow()
  const failed = transports.flatMap(({ name, lastError }) => (lastError ? [{ name, ...lastError }] : []))
  return (
    <Section title="Last errors" text="The last message that each did not take since the server has started.">
      {failed.length === 0 ? (
        <SectionNote>There was none.</SectionNote>
      ) : (
        <ul className={styles.errors} aria-label="Last errors">
          {failed.map(({ name, at, outcome, reason }) => (
            <li key={name}>
              <strong>{name}</strong> <span>{reason}</span>
              <span className={`${table.quiet} ${styles.lanes}`}>
                {outcome}, <When at={at} format={age} now={now} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
