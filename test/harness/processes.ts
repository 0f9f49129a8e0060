import { readdirSync, readFileSync } from "node:fs"

/** What a process that has ended printed, and its exit code. */
export interface ProgramResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Waits for the end of a process, and reads meanwhile what it prints. */
export async function ended(child: Bun.Subprocess<Bun.SpawnOptions.Writable, "pipe", "pipe">): Promise<ProgramResult> {
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/** The fields of `/proc/PID/stat` after the name, from the state on; undefined when there is no such process. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")
  } catch {
    return undefined
  }
}

/** The processes that this one started and that have not ended; on Linux only. */
export const childrenOf = (pid: number): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((other) => other > 0 && isRunning(other) && Number(statOf(other)?.[1]) === pid)

/** False also for a process that has ended and that nobody has waited for. */
export const isRunning = (pid: number): boolean => !["Z", "X", undefined].includes(statOf(pid)?.[0])

/**
 * The memory of a process that the kernel cannot take back by dropping pages of files, in MB: what counts when it reaches
 * a limit. 0 for one that has ended.
 */
export function heldMegabytes(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
