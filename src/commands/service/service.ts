import { existsSync } from "node:fs"

/** The service manager that runs the server in the background. Each method throws a sentence on failure. */
export interface Service {
  /** The paths that its command line names, if any. */
  readonly config?: string | undefined
  readonly data?: string | undefined
  isActive(): Promise<boolean>
  /** Resolves when the new process runs; rejects when it fails to start. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface ProgramResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export type Run = (command: readonly string[]) => Promise<ProgramResult>

/** Runs a program of the machine with the environment of this one. */
export const runProgram: Run = async (command) => {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/** The services of the machine, run by root, or those of one person. */
export type Scope = "system" | "user"

export const unitName = "mailstead.service"

/** Whether systemd runs this machine, as sd_booted(3) finds out. */
export const isSystemdRunning = (): boolean => existsSync("/run/systemd/system")

export const systemctl = (scope: Scope, ...words: string[]): string[] => [
  "systemctl",
  ...(scope === "user" ? ["--user"] : []),
  ...words,
]

/** The command that shows the log of the service. */
export const logCommand = (scope: Scope): string => `journalctl ${scope === "user" ? "--user " : ""}-u mailstead`

/** The service of systemd that runs `executable`; undefined when there is none. */
export async function findService(
  executable: string,
  scope: Scope,
  run: Run = runProgram,
  isBooted = isSystemdRunning(),
): Promise<Service | undefined> {
  if (!isBooted) return undefined
  const shown = await run(systemctl(scope, "show", "--property=ExecStart", "--value", unitName))
  if (!shown.stdout.includes(`path=${executable} `)) return undefined
  const named = (option: string) => new RegExp(` --${option}[ =](.+?)(?= --| ; )`).exec(shown.stdout)?.[1]
  return { ...systemdService(scope, run), config: named("config"), data: named("data") }
}

function systemdService(scope: Scope, run: Run): Service {
  async function call(verb: "restart" | "stop"): Promise<void> {
    const { code, stderr } = await run(systemctl(scope, verb, unitName))
    const problem = stderr.trim().split("\n")[0]?.replace(/\.$/, "")
    if (code !== 0) throw new Error(`systemctl ${verb} said "${problem}" (${logCommand(scope)} has more)`)
  }
  return {
    // Also one that is about to be started again after a failure.
    isActive: async () => /^(?:active|activating)/.test((await run(systemctl(scope, "is-active", unitName))).stdout),
    restart: () => call("restart"),
    stop: () => call("stop"),
  }
}
