import { type App, createApp, type Listening } from "../app.ts"
import type { Config } from "../config.ts"
import type { Log } from "../kernel/log.ts"
import type { Io } from "./args.ts"
import { warnOfExposure } from "./exposure.ts"
import { forgetAddress, keepAddress } from "./health.ts"
import { logTo, logUncaught } from "./logging.ts"
import { giveToOwnerOf, warnOfRoot } from "./owner.ts"

/** Runs a server until it is asked to stop, then stops it gracefully. Resolves with the exit code. */
export async function runServer(
  io: Io,
  config: Config,
  announce: (listening: Listening, app: App, log: Log) => void | Promise<void>,
): Promise<number> {
  const log = logTo(io, config.log)
  if (config.mode === "sandbox") warnOfExposure(log, config)
  const app = await createApp(config, { log, env: (name) => io.env[name] })
  warnOfRoot(log, config.data)
  const endLogging = logUncaught(log)
  try {
    const listening = await app.start()
    keepAddress(config, listening.port)
    await announce(listening, app, log)
    await stopped(io.stop)
    log.info("Stopping")
  } finally {
    forgetAddress(config)
    await app.stop()
    giveToOwnerOf(config.data)
    endLogging()
  }
  return 0
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })
