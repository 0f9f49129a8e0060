import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** What came of a step of `bun run check`. */
export interface Outcome {
  readonly ok: boolean
  readonly passed?: number
  readonly failed?: number
  readonly note?: string
}

export interface TestRun extends Outcome {
  /** The slowest first, in milliseconds. */
  readonly times: readonly (readonly [file: string, ms: number])[]
}

export interface TestRunOptions {
  readonly root: string
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * A run from which no result comes for so long hangs: it is ended and counts as failed. How long it takes as a whole is
 * up to the machine. A single test that hangs ends before that.
 */
const longestSilenceMs = 2 * 60_000
const longestTestMs = 110_000

/** One more than there are cores, for browser tests wait more than they work; each has a Chromium of its own. */
const workers = Math.min(navigator.hardwareConcurrency + 1, 8)

/** Runs these test files side by side, what they report passed on as it comes. */
export async function runTests({ root, files, env }: TestRunOptions): Promise<TestRun> {
  const folder = temporaryFolder()
  // Kept, so that the next run begins with the slowest files.
  const timings = join(root, "node_modules/.cache/mailstead/test-times.json")
  mkdirSync(dirname(timings), { recursive: true })
  const options = [
    `--timeout=${longestTestMs}`,
    `--parallel=${workers}`,
    "--parallel-delay=0",
    // The files of a worker share what they import, its Chromium and the bundled dashboard among it.
    "--no-isolate",
    "--no-orphans",
    `--timings=${timings}`,
    "--update-timings",
  ]
  const child = Bun.spawn([process.execPath, "test", ...options, ...files.map((file) => `./${file}`)], {
    cwd: root,
    env: { ...env, TMPDIR: folder },
    stdio: ["ignore", "inherit", "pipe"],
  })
  let isSilent = false
  const end = () => {
    isSilent = true
    child.kill()
  }
  let report = ""
  const decoder = new TextDecoder()
  let silence = setTimeout(end, longestSilenceMs)
  for await (const chunk of child.stderr) {
    clearTimeout(silence)
    silence = setTimeout(end, longestSilenceMs)
    process.stderr.write(chunk)
    report = (report + decoder.decode(chunk, { stream: true })).slice(-tailLength)
  }
  clearTimeout(silence)
  const code = await child.exited
  rmSync(folder, { recursive: true, force: true })
  return { ...outcomeOf(report, code, isSilent), times: await timesIn(timings, files) }
}

/** Enough for the totals, which stand at the end of what `bun test` reports. */
const tailLength = 4_096

function outcomeOf(report: string, code: number, isSilent: boolean): Outcome {
  const [passed, failed] = [countOf("pass", report), countOf("fail", report)]
  const note = isSilent ? `ended after ${longestSilenceMs / 60_000} minutes without a result` : `exit code ${code}`
  if (passed === undefined || failed === undefined) return { ok: false, failed: 1, note }
  return code === 0 ? { ok: true, passed, failed } : { ok: false, passed, failed: Math.max(1, failed), note }
}

function countOf(what: "pass" | "fail", report: string): number | undefined {
  const found = [...Bun.stripANSI(report).matchAll(new RegExp(`^ *(\\d+) ${what}$`, "gm"))].at(-1)?.[1]
  return found === undefined ? undefined : Number(found)
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
 * A folder for what the tests write, in memory where there is plenty: they kill processes and not machines, so none of
 * them needs a disk, and some disks take long to confirm what is written.
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
