import { Type } from "@sinclair/typebox"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles } from "../../jobs/define.ts"
import type { Module } from "../../module.ts"
import { inSlices } from "../../store/slices.ts"
import { dropUnused, eraseOriginals } from "./store.ts"

const sweepOriginals = defineJob("original.sweep", Type.Object({}))

/** Whole messages, byte for byte as they were received or captured. */
export function createOriginals({ store }: Pick<Engine, "store">) {
  return {
    name: "originals",
    actions: {},
    handlers: [
      handles(sweepOriginals, async () => {
        await inSlices(store, "instance", dropUnused)
        return done
      }),
    ],
    recurring: [{ kind: sweepOriginals, every: "17 4 * * *" }],
    erase: eraseOriginals,
  } satisfies Module
}
