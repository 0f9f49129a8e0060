import { orAbort } from "../../kernel/abort.ts"

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_SOUNDNESS_WORKER: string | undefined
const program = typeof MAILSTEAD_SOUNDNESS_WORKER === "string" ? MAILSTEAD_SOUNDNESS_WORKER : "./soundness-worker.ts"

/**
 * What is wrong with a database; undefined when it is sound. Takes seconds per gigabyte, on a separate thread, because nothing
 * interrupts SQLite in that. Rejects when `abort` fires before.
 */
export function unsoundnessOf(path: string, abort: AbortSignal): Promise<string | undefined> {
  const thread = new Worker(new URL(program, import.meta.url).href)
  const found = new Promise<string | undefined>((resolve, reject) => {
    thread.onmessage = ({ data }: MessageEvent<string | undefined>) => resolve(data)
    thread.onerror = ({ message }: ErrorEvent) => reject(new Error(message))
  })
  thread.postMessage(path)
  return orAbort(found, abort).finally(() => thread.terminate())
}
