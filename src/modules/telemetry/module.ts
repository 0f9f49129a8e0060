import type { Engine } from "../../engine.ts"
import { second } from "../../kernel/clock.ts"
import { headersIn } from "../../kernel/header-list.ts"
import { createLoop } from "../../kernel/loop.ts"
import type { Module, Worker } from "../../module.ts"
import { createExporter } from "./exporter.ts"

const everyMs = 5 * second

/** Traces and metrics for an OpenTelemetry collector, when `otel.endpoint` names one. */
export function createTelemetry(engine: Pick<Engine, "config" | "metrics" | "realClock" | "log" | "tracer">) {
  const { endpoint, headers } = engine.config.otel
  const { tracer } = engine
  const isOn = endpoint !== null && tracer !== undefined
  return {
    name: "telemetry",
    actions: {},
    ...(isOn && {
      worker: workerOf(engine, createExporter(engine, { tracer, endpoint, headers: headersIn(headers ?? "") ?? {} })),
    }),
  } satisfies Module
}

function workerOf(
  { realClock, log }: Pick<Engine, "realClock" | "log">,
  send: ReturnType<typeof createExporter>,
): Worker {
  const never = new AbortController().signal
  const loop = createLoop({
    clock: realClock,
    log,
    name: "telemetry",
    idleMs: everyMs,
    step: (stopping) => send(stopping),
  })
  return {
    loop,
    open: async () => {},
    // Reports no work, because nothing depends on it.
    async drain() {
      await send(never)
      return 0
    },
    nextDueAt: async () => undefined,
    async stop(graceMs) {
      await loop.stop()
      const [late, done] = [new AbortController(), new AbortController()]
      void realClock.sleep(graceMs, done.signal).then(() => late.abort())
      await send(late.signal, true)
      done.abort()
    },
  }
}
