import { expect, test } from "bun:test"
import { slicesOf } from "../../src/modules/imports/slices.ts"

async function* file(columns: number, rows: number): AsyncGenerator<Uint8Array> {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`)
  yield Buffer.from(`email,${names.join(",")}\n`)
  for (let row = 0; row < rows; row++) yield Buffer.from(`p${row}@example.com,${names.map(() => row).join(",")}\n`)
}

async function sizes(columns: number, rows: number): Promise<number[]> {
  const found: number[] = []
  for await (const slice of slicesOf(file(columns, rows), { imported: 0, updated: 0, skipped: 0 }))
    found.push(slice.length)
  return found
}

test("a unit of an import takes a thousand contacts, or fewer of many columns", async () => {
  expect(await sizes(3, 2_500)).toEqual([1_000, 1_000, 500])
  expect(await sizes(2_000, 25)).toEqual([10, 10, 5])
})
