import { type Columns, columnsOf, type ImportRow, readRow } from "./columns.ts"
import { countRecords, readRecords } from "./csv.ts"
import { FileFault } from "./fault.ts"
import { type Counts, rowsDone } from "./store.ts"

/**
 * Rows with an address per unit of work. Each changes a contact, and all other units wait: this many take less than 10
 * ms, and are enough to make the cost of a commit small.
 */
const contactsPerSlice = 1_000
/** Cells per unit of work: few rows with very many columns cost as much as many rows. */
const cellsPerSlice = 20_000
/** Rows without an address cost almost nothing. */
const rowsPerSlice = 5_000

/** Reads the whole file and counts its rows. Throws a `FileFault` when it cannot be imported. */
export async function countRows(file: AsyncIterable<Uint8Array>): Promise<number> {
  const records = await countRecords(file, columnsOf)
  if (records === 0) throw new FileFault("The file is empty.")
  return records - 1
}

/** The remaining rows of a job's file, in slices for one unit each. */
export async function* slicesOf(file: AsyncIterable<Uint8Array>, job: Counts): AsyncGenerator<ImportRow[]> {
  let columns: Columns | undefined
  const done = rowsDone(job)
  let row = 1
  let slice: ImportRow[] = []
  let addresses = 0
  let read = 0
  for await (const records of readRecords(file))
    for (const cells of records) {
      if (columns === undefined) {
        columns = columnsOf(cells)
        continue
      }
      row++
      if (row <= done + 1) continue
      const next = readRow(columns, cells, row)
      slice.push(next)
      read += cells.length
      if (next.address !== undefined) addresses++
      if (addresses < contactsPerSlice && slice.length < rowsPerSlice && read < cellsPerSlice) continue
      yield slice
      slice = []
      addresses = 0
      read = 0
    }
  if (slice.length > 0) yield slice
}
