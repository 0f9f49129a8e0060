import { join } from "node:path"
import { ended, type ProgramResult } from "./processes.ts"

const executable = process.env.MAILSTEAD_TEST_EXECUTABLE
/** The executable that the whole check has just built, which starts faster; without it the sources. */
const program = executable ? [executable] : [process.execPath, join(import.meta.dir, "../../src/main.ts")]

export interface RunOptions {
  readonly env?: Record<string, string>
  /** Mounted in a namespace of the process alone, before it starts. */
  readonly tmpfs?: {
    readonly at: string
    readonly options: string
    /** A folder whose files are copied to it. */
    readonly from?: string
  }
  /** The options with which `/proc` is mounted for the process, which is a child of the one that is started then. */
  readonly proc?: string
}

function spawn(command: readonly string[], { env = {}, tmpfs, proc }: RunOptions) {
  const within =
    tmpfs === undefined
      ? [...command]
      : ["unshare", "-rm", "sh", "-c", mountThenRun, "sh", tmpfs.options, tmpfs.at, ...copied(tmpfs), ...command]
  const mountProc = 'mount -t proc -o "$1" proc /proc || exit 99; shift; exec "$@"'
  const seeing =
    proc === undefined ? [] : ["unshare", "-rm", "--pid", "--fork", "--kill-child", "sh", "-c", mountProc, "sh", proc]
  return Bun.spawn([...seeing, ...within], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
}

const copied = ({ at, from }: NonNullable<RunOptions["tmpfs"]>): string[] =>
  from === undefined ? [] : ["sh", "-c", 'cp -a "$1/." "$2" || exit 99; shift 2; exec "$@"', "sh", from, at]

/** For `sh -c`, after its options and its place: what follows sees a new file system there. */
export const mountThenRun = 'mount -t tmpfs -o "$1" tmpfs "$2" || exit 99; shift 2; exec "$@"'

/** Throws with the reason if this machine does not allow mounting a file system, which root and most users may. */
export async function requireMounts(at: string): Promise<void> {
  const child = Bun.spawn(["unshare", "-rm", "sh", "-c", mountThenRun, "sh", "size=1m", at, "true"], { stderr: "pipe" })
  if ((await child.exited) === 0) return
  const reason = await new Response(child.stderr).text()
  throw new Error(`These tests mount a small file system with \`unshare -rm\`, which is not possible here: ${reason}`)
}

/** Runs a command of the program to its end. */
export const runMailstead = (args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> =>
  ended(spawn([...program, ...args], options))

/** The same with its standard output into a file, so that it seems to print nothing. */
export const runMailsteadInto = (path: string, args: readonly string[]): Promise<ProgramResult> =>
  ended(spawn(["sh", "-c", 'exec "$@" > "$0"', path, ...program, ...args], {}))

/** Runs a command and kills it (SIGKILL) as soon as `when` holds, unless it has ended before. */
export async function killMailstead(args: readonly string[], when: () => boolean): Promise<void> {
  const child = spawn([...program, ...args], {})
  while (child.exitCode === null && !when()) await Bun.sleep(1)
  child.kill("SIGKILL")
  await child.exited
}

/**
 * Runs a command and kills it (SIGKILL) as it begins the n-th of these system calls on one of these files; resolves to
 * whether it came to that.
 */
export async function killMailsteadAt(
  args: readonly string[],
  { call, n, files }: { readonly call: string; readonly n: number; readonly files: readonly string[] },
): Promise<boolean> {
  const paths = files.flatMap((file) => ["-P", file])
  const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${n}`]
  const child = spawn(["strace", "-f", "-qq", "-o", "/dev/null", ...paths, ...inject, ...program, ...args], {})
  const [said] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (child.signalCode === "SIGKILL") return true
  if (child.exitCode === 0) return false
  throw new Error(`It ended by itself, or tracing is not allowed here: ${said}`)
}

/** Runs a program where this shell script, which has the parameters, has mounted what the program is to see. */
function runMounted(script: string, parameters: readonly string[], args: readonly string[]): Promise<ProgramResult> {
  const child = Bun.spawn(["unshare", "-rm", "sh", "-c", script, "sh", ...parameters, ...program, ...args], {
    env: { PATH: process.env.PATH ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  return ended(child)
}

/**
 * Runs a command that sees a small empty disk at `at`; resolves also to the files that are on it afterwards. Requires
 * what `requireMounts` checks.
 */
export async function runOnSmallDisk(
  at: string,
  size: string,
  args: readonly string[],
): Promise<ProgramResult & { left: string[] }> {
  const script =
    'mount -t tmpfs -o "size=$1" tmpfs "$2" || exit 99; at=$2; shift 2; "$@"; code=$?; find "$at" -type f >&2; exit $code'
  const ran = await runMounted(script, [size, at], args)
  const lines = ran.stderr.split("\n")
  const isFile = (line: string) => line.startsWith(`${at}/`)
  return {
    ...ran,
    stderr: lines.filter((line) => !isFile(line)).join("\n"),
    left: lines.filter(isFile).map((line) => line.slice(at.length + 1)),
  }
}

/** Runs a command to its end, for which the disk of a folder can only be read; only where mounting is possible. */
export function runOnReadOnlyDisk(at: string, args: readonly string[]): Promise<ProgramResult> {
  const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99; shift; exec "$@"'
  return runMounted(script, [at], args)
}

export interface RunningMailstead {
  readonly pid: number
  readonly url: string
  /** SIGKILL: the process ends at once, without finishing anything. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number>
  /** Resolves with what it has written to standard error, when it has ended. */
  said(): Promise<string>
}

/** Starts a server and resolves when it listens. */
export const startMailstead = (args: readonly string[], options: RunOptions = {}): Promise<RunningMailstead> =>
  listening(spawn([...program, ...args], options))

async function listening(child: ReturnType<typeof spawn>): Promise<RunningMailstead> {
  let printed = ""
  for await (const chunk of child.stdout) {
    printed += new TextDecoder().decode(chunk)
    const url = /listening on (http:\/\/\S+)/.exec(printed)?.[1]
    if (url === undefined) continue
    return {
      pid: child.pid,
      url,
      async kill() {
        child.kill("SIGKILL")
        await child.exited
      },
      stop() {
        child.kill("SIGTERM")
        return child.exited
      },
      said: () => new Response(child.stderr).text(),
    }
  }
  throw new Error(`It ended instead of starting: ${await new Response(child.stderr).text()}`)
}

/** Runs `mailstead serve` with its data in `folder`, on a free port. */
export const startServer = (folder: string, env: Record<string, string> = {}): Promise<RunningMailstead> =>
  startMailstead(["serve", "--port", "0", "--data", folder], { env })

/** The same for another program than the server, which prints where it listens. */
export const startProgram = (path: string, folder: string, env: Record<string, string> = {}) =>
  listening(spawn([process.execPath, path, folder], { env }))
