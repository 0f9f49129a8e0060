import { readFileSync } from "node:fs"

export interface Running {
  /** The matching part of the output. */
  readonly found: string
  /** Milliseconds from start to that line. */
  readonly readyMs: number
  /** Resident memory in MB, or 0 where /proc is missing. */
  memory(): number
  /** Processor time so far in ms, or 0 where /proc is missing. */
  cpuMs(): number
  stop(): Promise<void>
}

/** Starts a program and resolves when its output matches. */
export async function startProgram(
  command: string[],
  ready: RegExp,
  env: Record<string, string> = {},
): Promise<Running> {
  const startedAt = performance.now()
  const child = Bun.spawn(command, { env: { PATH: process.env.PATH ?? "", ...env }, stdout: "pipe", stderr: "inherit" })
  let text = ""
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk)
    const found = ready.exec(text)?.[1]
    if (found === undefined) continue
    return runningOf(child, found, startedAt)
  }
  throw new Error(`${command.join(" ")} ended before it was ready: ${text}`)
}

/** Starts a program that says nothing and resolves when it listens on the port of 127.0.0.1, which is what was found. */
export async function startListening(command: string[], port: number, cwd = process.cwd()): Promise<Running> {
  const startedAt = performance.now()
  const child = Bun.spawn(command, { cwd, stdout: "ignore", stderr: "ignore" })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${command.join(" ")} ended before it listened on ${port}.`)
    if (await isListening(port)) return runningOf(child, String(port), startedAt)
    await Bun.sleep(20)
  }
}

const isListening = (port: number): Promise<boolean> =>
  Bun.connect({ port, hostname: "127.0.0.1", socket: { open: (socket) => void socket.end(), data() {} } }).then(
    () => true,
    () => false,
  )

const runningOf = (child: Bun.Subprocess, found: string, startedAt: number): Running => ({
  found,
  readyMs: performance.now() - startedAt,
  memory: () => residentMegabytes(child.pid),
  cpuMs: () => processorMs(child.pid),
  async stop() {
    child.kill("SIGTERM")
    await child.exited
  },
})

function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** The kernel counts in hundredths of a second. */
function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

/** Runs a known tool to its end and resolves to its output. Names the package where the tool is missing. */
export async function runTool(command: string[], debianPackage: string): Promise<string> {
  const program = command[0] ?? ""
  if (Bun.which(program) === null) throw new Error(`${program} is missing: apt-get install ${debianPackage}`)
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed: ${err || out}`)
  return out + err
}
