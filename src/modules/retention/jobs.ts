import { Type } from "@sinclair/typebox"
import type { Engine } from "../../engine.ts"
import {
  defineJob,
  done,
  handles,
  type JobHandler,
  type Outcome,
  type Recurring,
  retry,
  snooze,
} from "../../jobs/define.ts"
import { day } from "../../kernel/clock.ts"
import { reasonOf } from "../../kernel/log.ts"
import type { Module, Sweep } from "../../module.ts"
import type { Files } from "../../store/files.ts"
import { removeMigrationCopies } from "../../store/migration-copies.ts"
import { inSlices } from "../../store/slices.ts"
import { removeUnnamed, sweepFiles } from "./files.ts"
import { addFreed, deleteOldFreed } from "./store.ts"

const sweepOften = defineJob("instance.sweep", Type.Object({}))
const sweepAll = defineJob("retention.sweep", Type.Object({}))

/** Units of about a millisecond, with rests, so that requests are written in between without a noticeable delay. */
const slice = { size: 100, rest: 2 }
const pagesAtOnce = 50
/** With more than that the file is made smaller by the next sweep of any kind: much was deleted at once. */
const largestUnusedShare = 1 / 4
/** How long the copies of the database are kept for a rollback of an update. */
const copyMs = 14 * day

export interface RetentionDeps {
  readonly files: Files
  /** All modules, once they are created. */
  readonly modules: () => readonly Module[]
}

/** Each slice is one unit together with its counts, so that an interrupted sweep continues with the next run. */
export function createRetentionJobs(
  { store, clock, realClock, config }: Pick<Engine, "store" | "clock" | "realClock" | "config">,
  { files, modules }: RetentionDeps,
): { handlers: JobHandler[]; recurring: Recurring[] } {
  const isOften = ({ often }: Sweep): boolean => often === true || often === config.mode

  async function sweep({ name, run }: Sweep, abort: AbortSignal): Promise<void> {
    await run((step) =>
      inSlices(
        store,
        "instance",
        async (unit, limit) => {
          const rows = await step(unit, limit)
          if (rows > 0) await addFreed(unit, name, rows)
          return rows
        },
        { ...slice, abort },
      ),
    )
  }

  /** Higher modules first: they refer to rows of lower ones. Resolves to why some sweeps failed; others go on. */
  async function sweepWhere(wanted: (each: Sweep) => boolean, abort: AbortSignal): Promise<string[]> {
    const failures: string[] = []
    const all = modules()
      .toReversed()
      .flatMap(({ sweeps = [] }) => sweeps.filter(wanted))
    for (const each of [...all.filter(({ last }) => last !== true), ...all.filter(({ last }) => last === true)]) {
      if (abort.aborted) break
      await sweep(each, abort).catch((cause) => failures.push(`${each.name}: ${reasonOf(cause)}`))
    }
    return failures
  }

  async function removeFiles(abort: AbortSignal): Promise<void> {
    const { rows, bytes } = await removeUnnamed({ store, clock, files }, modules(), abort)
    if (rows > 0) await store.write("instance", (unit) => addFreed(unit, "files", rows, bytes))
  }

  async function removeCopies(): Promise<void> {
    const { rows, bytes } = await removeMigrationCopies(store.folder, realClock.now() - copyMs)
    if (rows > 0) await store.write("instance", (unit) => addFreed(unit, "database copies", rows, bytes))
  }

  async function returnSpace(abort: AbortSignal): Promise<void> {
    const options = { ...slice, size: 1, abort }
    await inSlices(
      store,
      "instance",
      async (unit) => {
        const bytes = await store.cutPages(unit, pagesAtOnce)
        if (bytes > 0) await addFreed(unit, "disk", 0, bytes)
        return bytes > 0 ? 1 : 0
      },
      options,
    )
  }

  function endOf(abort: AbortSignal, failures: readonly string[] = []): Outcome {
    if (abort.aborted) return snooze(0)
    return failures.length > 0 ? retry(failures.join("; ")) : done
  }

  return {
    handlers: [
      handles(sweepOften, async (_, abort) => {
        const failures = await sweepWhere(isOften, abort)
        const { bytes, unusedBytes } = await store.space()
        if (unusedBytes > bytes * largestUnusedShare) await returnSpace(abort)
        return endOf(abort, failures)
      }),
      handles(sweepAll, async (_, abort) => {
        const failures = await sweepWhere((each) => !isOften(each), abort)
        await removeFiles(abort)
        await removeCopies()
        await returnSpace(abort)
        await store.write("instance", deleteOldFreed)
        return endOf(abort, failures)
      }),
      handles(sweepFiles, async (_, abort) => {
        await removeFiles(abort)
        return endOf(abort)
      }),
    ],
    recurring: [
      { kind: sweepOften, every: "*/10 * * * *" },
      { kind: sweepAll, every: config.retention.sweepMs },
    ],
  }
}
