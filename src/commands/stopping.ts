import { readFileSync } from "node:fs"

/** Aborted when this process is to stop: the first SIGINT or SIGTERM does that, the second ends it at once. */
export function whenToStop(): AbortSignal {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      stop()
      process.once(signal, () => process.exit(1))
    })
  // The end of the terminal's connection, of which both the terminal and its shell may tell.
  if (!isHangupIgnored()) process.on("SIGHUP", stop)
  // A process that the server started, such as one that takes a backup, ends with it, also when the server is killed.
  process.once("disconnect", stop)
  return stopping.signal
}

/** Whether `nohup` or the like has this process ignore SIGHUP, number 1; also where the system does not tell. */
function isHangupIgnored(): boolean {
  try {
    const [, mask = ""] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
    return !/[02468ace]$/.test(mask)
  } catch {
    return true
  }
}
