import type { Engine } from "../../engine.ts"
import { minute } from "../../kernel/clock.ts"
import type { Module } from "../../module.ts"
import { graceMs, sweepFiles } from "./files.ts"
import { createRetentionJobs, type RetentionDeps } from "./jobs.ts"
import { retentionRoutes } from "./routes.ts"

/** Deletes rows and files after their retention period, and returns their space to the disk (contract B10). */
export function createRetention(
  engine: Pick<Engine, "store" | "clock" | "realClock" | "jobs" | "config">,
  deps: RetentionDeps,
) {
  return {
    name: "retention",
    actions: {},
    routes: (protect) => retentionRoutes(engine, protect),
    ...createRetentionJobs(engine, deps),
    /** The files of the project are deleted once no request that is under way can name them. */
    async erase(unit): Promise<void> {
      await engine.jobs.enqueue(unit, sweepFiles, {}, { delayMs: graceMs + minute })
    },
  } satisfies Module
}
