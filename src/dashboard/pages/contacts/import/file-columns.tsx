import { Checkbox, TextInput } from "@mantine/core"
import { ScrollRegion } from "../../../ui/scroll-region.tsx"
import { type Column, type ColumnTarget, columnTargetOf, type ReadFile, whyLeftOut } from "./columns.ts"
import styles from "./import.module.css"

const says: Record<ColumnTarget, string> = { email: "the address", field: "field", nothing: "left out" }
const previewRows = 3

interface FileColumnsProps {
  file: ReadFile
  columns: readonly Column[]
  onColumns(columns: readonly Column[]): void
}

/** The columns of the file with their targets, and its first rows. Columns can be renamed and left out. */
export function FileColumns({ file, columns, onColumns }: FileColumnsProps) {
  const change = (place: number, part: Partial<Column>) =>
    onColumns(columns.map((column, at) => (at === place ? { ...column, ...part } : column)))
  return (
    <ScrollRegion className={styles.preview} label="First rows of the file">
      <table>
        <thead>
          <tr>
            {columns.map(({ name }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file may share a name, and never move
              <th key={at} scope="col" data-becomes={columnTargetOf(columns, at)}>
                <span>{name || "(no name)"}</span>
                <small>{[says[columnTargetOf(columns, at)], whyLeftOut(columns, at)].filter(Boolean).join(": ")}</small>
              </th>
            ))}
          </tr>
          <tr>
            {columns.map(({ name, field, isTaken }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <td key={at}>
                <span className={styles.becomes}>
                  <Checkbox
                    size="xs"
                    aria-label={`Import ${name || `column ${at + 1}`}`}
                    checked={isTaken}
                    onChange={(event) => change(at, { isTaken: event.currentTarget.checked })}
                  />
                  <TextInput
                    size="xs"
                    aria-label={`Field for ${name || `column ${at + 1}`}`}
                    disabled={!isTaken}
                    value={field}
                    onChange={(event) => change(at, { field: event.currentTarget.value.trimStart() })}
                  />
                </span>
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {file.rows.slice(0, previewRows).map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name, and never move
            <tr key={row}>
              {cells.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={at} dir="auto" data-becomes={columnTargetOf(columns, at)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
