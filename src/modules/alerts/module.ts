import type { Engine } from "../../engine.ts"
import type { AlertState } from "../../kernel/alert-state.ts"
import { minute } from "../../kernel/clock.ts"
import { reasonOf } from "../../kernel/log.ts"
import { createLoop } from "../../kernel/loop.ts"
import type { Module, Worker } from "../../module.ts"
import { createNotifier, type NotifyDeps } from "./notify.ts"
import { alertRoutes } from "./routes.ts"
import { changesIn } from "./rules.ts"
import { deleteAlert, insertAlert, listAlerts } from "./store.ts"

interface AlertDeps extends NotifyDeps {
  readonly modules: () => readonly Pick<Module, "name" | "alertStates">[]
}

/** Alerts the owner of the instance to problems, once when one begins and once when it ends (contract B8.3.24). */
export function createAlerts(
  engine: Pick<Engine, "store" | "realClock" | "log" | "config" | "jobs">,
  { modules, ...deps }: AlertDeps,
) {
  const { store, log } = engine
  const { tell, handlers } = createNotifier(engine, deps)
  const loop = createLoop({ clock: engine.realClock, log, name: "alerts", idleMs: minute, step: look })

  async function ask(): Promise<{ found: AlertState[]; isComplete: boolean }> {
    let isComplete = true
    const ofEach = await Promise.all(
      modules().map(async ({ name, alertStates }) => {
        try {
          return (await alertStates?.()) ?? []
        } catch (cause) {
          isComplete = false
          log.warn("Conditions could not be looked at", { module: name, reason: reasonOf(cause) })
          return []
        }
      }),
    )
    return { found: ofEach.flat(), isComplete }
  }

  async function look(): Promise<void> {
    const { found, isComplete } = await ask()
    const { begun, ended } = changesIn(await listAlerts(store.read), found, isComplete)
    if (begun.length + ended.length === 0) return
    await store.write("instance", async (unit) => {
      for (const { key, sentence } of begun) {
        const alert = { key, sentence, since: unit.now }
        if (await insertAlert(unit, alert)) await tell(unit, "began", alert)
      }
      for (const alert of ended) if (await deleteAlert(unit, alert.key)) await tell(unit, "ended", alert)
    })
  }

  const worker: Worker = {
    loop,
    open: async () => {},
    async drain(isPassing) {
      if (!isPassing) await look().catch(() => {})
      return 0
    },
    nextDueAt: async () => undefined,
    stop: () => loop.stop(),
  }
  return {
    name: "alerts",
    actions: {},
    routes: (protect) => alertRoutes(store, protect),
    handlers,
    worker,
  } satisfies Module
}
