import { Database } from "bun:sqlite"
import { writeSync } from "node:fs"
import { join } from "node:path"
import { silentLog } from "../../../src/kernel/log.ts"
import { openStore } from "../../../src/store/store.ts"
import { createFakeClock } from "../../harness/fake-clock.ts"
import { addNote } from "../../harness/store.ts"

/**
 * A process whose power is cut: `bun writer.ts FOLDER [unsynced]` writes two notes in each unit, and prints the number of a
 * unit when it is acknowledged. Its log is checkpointed and restarted between and during its syncs. `unsynced` leaves the
 * syncs out.
 */
const rounds = 16
export const notesOf = (unit: number): [string, string] => [`${unit} first`, `${unit} second`]

/** How many units are under way at the same time, by round: in the last one enough for several transactions. */
const widthOf = (round: number): number => (round === rounds - 1 ? 600 : ([1, 8, 2, 1][round % 4] ?? 1))

export const unitCount = Array.from({ length: rounds }, (_, round) => widthOf(round)).reduce(
  (sum, width) => sum + width,
)

async function main(folder: string, isSynced: boolean): Promise<void> {
  const store = openStore({
    folder,
    clock: createFakeClock(),
    log: silentLog,
    holder: "the test",
    ...(isSynced ? {} : { syncFile: async () => {} }),
  })
  const other = new Database(join(folder, "mailstead.db"))
  let number = 0
  const work = async (): Promise<void> => {
    const own = number++
    await store.write("instance", async (unit) => {
      for (const name of notesOf(own)) await addNote(unit, name, own)
    })
    writeSync(1, `${own}\n`)
  }
  for (let round = 0; round < rounds; round++) {
    const works = Array.from({ length: widthOf(round) }, work)
    // Two turns of the event loop later the transaction is committed, and its sync is running.
    if (round % 4 === 1 || round === rounds - 1)
      works.push(
        turn()
          .then(turn)
          .then(() => checkpoint(other)),
      )
    await Promise.all(works)
    if (round % 5 === 4) checkpoint(other)
  }
  process.exit(0)
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

const checkpoint = (client: Database): void => void client.run("PRAGMA wal_checkpoint(PASSIVE)")

if (import.meta.main) await main(Bun.argv[2] ?? "", Bun.argv[3] !== "unsynced")
