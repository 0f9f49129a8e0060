import { dirname } from "node:path"
import { orAbort } from "../../kernel/abort.ts"
import { type Clock, second } from "../../kernel/clock.ts"
import { type Machine, machineOf } from "../machine.ts"
import { requireLogSpace } from "./snapshot.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_SOUNDNESS_WORKER: string | undefined
const program = typeof MAILSTEAD_SOUNDNESS_WORKER === "string" ? MAILSTEAD_SOUNDNESS_WORKER : "./soundness-worker.ts"

interface SoundnessDeps {
  readonly clock: Clock
  readonly abort: AbortSignal
  readonly machine?: Pick<Machine, "freeBytes">
}

/**
 * The faults of a database; undefined when it is sound. Takes seconds per gigabyte, on a separate thread, because
 * SQLite cannot be interrupted meanwhile. It is a single read, during which the log can only grow. Rejects when `abort`
 * fires first, or when the log has grown too long.
 */
export function unsoundnessOf(
  path: string,
  { clock, abort, machine = machineOf(dirname(path)) }: SoundnessDeps,
): Promise<string | undefined> {
  const thread = new Worker(new URL(program, import.meta.url).href)
  const ended = new AbortController()
  const found = new Promise<string | undefined>((resolve, reject) => {
    thread.onmessage = ({ data }: MessageEvent<string | undefined>) => resolve(data)
    thread.onerror = ({ message }: ErrorEvent) => reject(new Error(message))
  })
  async function watchLog(): Promise<undefined> {
    while (!ended.signal.aborted) {
      requireLogSpace(path, machine)
      await clock.sleep(second, ended.signal)
    }
  }
  thread.postMessage(path)
  return Promise.race([orAbort(found, abort), watchLog()]).finally(() => {
    ended.abort()
    thread.terminate()
  })
}
