import type { Engine } from "../../engine.ts"
import { done, handles } from "../../jobs/define.ts"
import { minute } from "../../kernel/clock.ts"
import type { Module } from "../../module.ts"
import type { Files } from "../../store/files.ts"
import { graceMs, removeUnnamed, sweepFiles } from "./files.ts"

export interface RetentionDeps {
  readonly files: Files
  /** All modules, once they are made. */
  readonly modules: () => readonly Module[]
}

/** Deletes what no longer has to be kept (contract B10). */
export function createRetention(engine: Pick<Engine, "store" | "clock" | "jobs">, { files, modules }: RetentionDeps) {
  return {
    name: "retention",
    actions: {},
    handlers: [
      handles(sweepFiles, async (_, abort) => {
        await removeUnnamed({ ...engine, files }, modules(), abort)
        return done
      }),
    ],
    /** The files of the project are deleted once no request that is under way can name them. */
    async erase(unit): Promise<void> {
      await engine.jobs.enqueue(unit, sweepFiles, {}, { runAt: unit.now + graceMs + minute })
    },
  } satisfies Module
}
