import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createGauges, type GaugeDeps } from "./gauges.ts"
import { createLoopDelay } from "./loop-delay.ts"
import { metricsRoutes } from "./routes.ts"

/** The figures of the running server, for Prometheus (contract A8.4). */
export function createObserve(
  engine: Pick<Engine, "store" | "bus" | "jobs" | "log" | "metrics" | "config" | "realClock">,
  deps: GaugeDeps,
) {
  createGauges(engine, deps)
  return {
    name: "observe",
    actions: {},
    routes: () => metricsRoutes(engine.metrics, engine.config.metrics.token),
    worker: createLoopDelay(engine),
  } satisfies Module
}
