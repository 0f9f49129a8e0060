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
  // The terminal was closed, which both the terminal and its shell may signal.
  if (!isHangupIgnored()) process.on("SIGHUP", stop)
  // A process that the server started, such as one that takes a backup, ends with it, also when the server is killed.
  process.once("disconnect", stop)
  return stopping.signal
}

/** Whether this process ignores SIGHUP (1), as under `nohup`; true also where the system cannot tell. */
function isHangupIgnored(): boolean {
  try {
    const [, mask = ""] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
    return !/[02468ace]$/.test(mask)
  } catch {
    return true
  }
}
