import type { InstanceRetention } from "../../api/instance.ts"
import { useInstanceRetention } from "../../queries/instance.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { byteSize } from "../../ui/format.ts"
import { ScrollRegion } from "../../ui/scroll-region.tsx"
import { Section, SectionNote, Sections } from "../../ui/section.tsx"
import table from "../../ui/table.module.css"

/** The size of the database, and what was deleted because its time had come. */
export default function Storage() {
  const { data, isError, error, refetch } = useInstanceRetention()
  if (!data)
    return isError ? <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} /> : null
  return (
    <Sections>
      <Section title="Database" text="Unused space is given back to the disk by the next sweep.">
        <SectionNote>
          {byteSize(data.databaseBytes)}, of which {byteSize(data.unusedBytes)} unused
        </SectionNote>
      </Section>
      <Section title="Deleted" text="What reached the end of its retention time and was deleted in the last 30 days.">
        {data.days.length === 0 ? <SectionNote>Nothing yet.</SectionNote> : <Days days={data.days} />}
      </Section>
    </Sections>
  )
}

const Days = ({ days }: { days: InstanceRetention["days"] }) => (
  <ScrollRegion label="What was deleted" className={table.scroll}>
    <table className={`${table.table} ${table.inSection}`} aria-label="Deleted">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Rows</th>
          <th scope="col" className={table.number}>
            Files
          </th>
          <th scope="col" className={table.number}>
            Given back
          </th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, rows, fileBytes, diskBytes }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td>{formatRows(rows)}</td>
            <td className={table.number}>{byteSize(fileBytes)}</td>
            <td className={table.number}>{byteSize(diskBytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)

const formatRows = (rows: Readonly<Record<string, number>>): string =>
  Object.entries(rows)
    .map(([name, count]) => `${name}: ${count.toLocaleString("en")}`)
    .join(", ")
