import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createTestReport, type TestReport } from "./test-report.ts"

/** The result of a step of `bun run check`. */
export interface Outcome {
  readonly ok: boolean
  readonly passed?: number
  readonly failed?: number
  readonly note?: string
}

interface TestRun extends Outcome, Pick<TestReport, "failures" | "unstable"> {
  /** The slowest first, in milliseconds. */
  readonly times: readonly (readonly [file: string, ms: number])[]
}

interface TestRunOptions {
  readonly root: string
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

const longestTestMs = 110_000

/**
 * A run that reports no result for this long is killed and counts as failed. The total time is not limited, because it
 * depends on the machine. A single test that hangs is ended earlier, by its own time limit.
 */
const longestSilenceMs = 2 * 60_000

/** One more than there are cores, because browser tests wait more than they work; each worker has its own Chromium. */
const workers = Math.min(navigator.hardwareConcurrency + 1, 8)

/**
 * Options of JavaScriptCore. Tests are too short for its optimizing compilers: the last tier, which takes up to a
 * seventh of the processor time, is off, and functions must run four times as often as usual before the first tier
 * compiles them. Memory is returned to the system after a second instead of at once, because most of it is needed
 * again: this saves 5 to 10 % of the time.
 */
const engine = { BUN_JSC_useFTLJIT: "0", BUN_JSC_thresholdForJITAfterWarmUp: "2000", MIMALLOC_PURGE_DELAY: "1000" }

/** Where one of these is set, Bun reports only failures, or writes its report for the service that sets it. */
const plainReport = { AGENT: undefined, CLAUDECODE: undefined, REPL_ID: undefined, GITHUB_ACTIONS: undefined }

/** Runs these test files in parallel and prints their reports as they arrive. */
export async function runTests({ root, files, env }: TestRunOptions): Promise<TestRun> {
  const folder = temporaryFolder()
  const timings = timingsOf(root)
  const options = [
    `--timeout=${longestTestMs}`,
    // One retry, because real browsers and processes share the machine; tests that needed it are named at the end.
    "--retry=1",
    `--parallel=${workers}`,
    "--parallel-delay=0",
    // The files of a worker share their imports, including its Chromium and the bundled dashboard.
    "--no-isolate",
    "--no-orphans",
    `--timings=${timings}`,
    "--update-timings",
  ]
  const child = Bun.spawn([process.execPath, "test", ...options, ...files.map((file) => `./${file}`)], {
    cwd: root,
    env: { ...env, ...plainReport, ...engine, TMPDIR: folder },
    stdio: ["ignore", "inherit", "pipe"],
  })
  let isSilent = false
  const end = () => {
    isSilent = true
    // It prints which files were running.
    child.kill()
  }
  let rest = ""
  const report = createTestReport()
  const decoder = new TextDecoder()
  let silence = setTimeout(end, longestSilenceMs)
  for await (const chunk of child.stderr) {
    clearTimeout(silence)
    silence = setTimeout(end, longestSilenceMs)
    process.stderr.write(chunk)
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) report.read(line)
  }
  clearTimeout(silence)
  const code = await child.exited
  rmSync(folder, { recursive: true, force: true })
  const { failures, unstable, ...counts } = report.told()
  return { ...outcomeOf(counts, code, isSilent), times: await timesIn(timings, files), failures, unstable }
}

function outcomeOf(
  { passed, failed }: Pick<TestReport, "passed" | "failed">,
  code: number,
  isSilent: boolean,
): Outcome {
  if (code === 0 && !isSilent) return { ok: true, passed, failed }
  const note = isSilent ? `ended after ${longestSilenceMs / 60_000} minutes without a result` : `exit code ${code}`
  return { ok: false, passed, failed: Math.max(1, failed), note }
}

/**
 * The file with the times of the previous run: the slowest files start first, so that none of them runs alone at the
 * end. The first run takes the times of the longest files from the repository.
 */
function timingsOf(root: string): string {
  const path = join(root, "node_modules/.cache/mailstead/test-times.json")
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(join(import.meta.dir, "test-times.json"), path)
  }
  return path
}

async function timesIn(path: string, files: readonly string[]): Promise<TestRun["times"]> {
  const known = await Bun.file(path)
    .json()
    .then(({ files }: { files: Record<string, number> }) => files)
    .catch(() => ({}) as Record<string, number>)
  return files.map((file) => [file, known[file] ?? 0] as const).sort(([, a], [, b]) => b - a)
}

const enoughBytes = 4 * 1024 ** 3

/**
 * A folder for the files of the tests, in memory if there is enough: tests kill processes but not machines, so none of
 * them needs a disk, and some disks are slow to sync.
 */
function temporaryFolder(): string {
  const memory = "/dev/shm"
  return mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), "mailstead-check-"))
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}
