import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { deleteSome } from "../../store/delete-some.ts"
import { createRequestRecorder } from "./recorder.ts"
import { requestRoutes } from "./routes.ts"
import { deleteOldRequests, eraseRequests } from "./store.ts"
import { requestTable } from "./table.ts"

/** The log of API requests (contract B10.2, B10.7). */
export function createRequests(engine: Pick<Engine, "store" | "clock" | "log" | "config">) {
  const { record, worker } = createRequestRecorder(engine)
  const { requestLogMs } = engine.config.retention
  return {
    name: "requests",
    actions: { record: requestLogMs === 0 ? () => {} : record },
    routes: (protect) => requestRoutes(engine, protect),
    worker,
    sweeps: [
      {
        name: "request log",
        run: (each) => each((unit, limit) => deleteOldRequests(unit, unit.now - requestLogMs, limit)),
      },
    ],
    erase: eraseRequests,
    eraseSome: (unit, projectId, limit) => deleteSome(unit, requestTable, projectId, limit),
  } satisfies Module
}
