import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { type EachSlice, eachOf } from "../../store/slices.ts"
import { deleteOldOriginals, deleteRaw, eraseOriginals, listUnused } from "./store.ts"

/** How many unneeded messages one read finds. */
const atOnce = 10_000

/** Whole messages, byte for byte as they were received or captured. */
export function createOriginals({ store, config }: Pick<Engine, "store" | "config">) {
  const { contentMs } = config.retention

  async function deleteUnneeded(each: EachSlice): Promise<void> {
    for (let found = atOnce; found === atOnce; ) {
      const unused = await store.readPool.read("instance", (db) => listUnused(db, atOnce))
      found = await eachOf(each, unused, deleteRaw)
    }
  }

  return {
    name: "originals",
    actions: {},
    sweeps: [
      {
        name: "originals",
        often: "sandbox",
        async run(each) {
          if (contentMs > 0) await each((unit, limit) => deleteOldOriginals(unit, unit.now - contentMs, limit))
          await deleteUnneeded(each)
        },
      },
    ],
    erase: eraseOriginals,
  } satisfies Module
}
