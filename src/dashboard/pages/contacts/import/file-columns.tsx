import { ScrollRegion } from "../../../ui/scroll-region.tsx"
import type { Column, FilePreview } from "./columns.ts"
import styles from "./import.module.css"

const says: Record<Column["becomes"], string> = { email: "the address", field: "field", nothing: "left out" }

/** The columns of the file, what becomes of each, and its first rows. */
export function FileColumns({ columns, rows }: FilePreview) {
  return (
    <ScrollRegion className={styles.preview} label="First rows of the file">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, becomes }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file may share a name, and never move
              <th key={index} scope="col" data-becomes={becomes}>
                <span>{name || "(no name)"}</span>
                <small>{says[becomes]}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name, and never move
            <tr key={row}>
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={index} dir="auto" data-becomes={columns[index]?.becomes}>
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
