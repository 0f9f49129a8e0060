import { join, resolve } from "node:path"
import { ensureTools } from "./tools.ts"

/**
 * `bun run check`: types, lint, every test, the executable and its tests, the browser tests. Runs all of it even when
 * one part fails, ends with `N passed, N failed` alone on a line, and exits with 1 when anything failed.
 */
const root = resolve(import.meta.dir, "..")

interface Outcome {
  readonly ok: boolean
  readonly passed?: number
  readonly failed?: number
  readonly note?: string
}

/** A run of tests that takes longer than this hangs: it is ended and counts as failed. */
const longestRun = 8 * 60_000
const longestTest = 20_000

/** Programs of Debian's sbin are not on everybody's path; settings of the person who runs this must not reach the tests. */
const env: Record<string, string | undefined> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("MAILSTEAD_"))),
  PATH: [process.env.PATH, "/usr/local/sbin", "/usr/sbin", "/sbin"].filter(Boolean).join(":"),
  ...(process.stderr.isTTY ? { FORCE_COLOR: "1" } : {}),
}

/** Runs this same Bun, for there may be no other: with `--bun` it also stands in for a Node that is not there. */
async function script(name: string): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, "--bun", "run", name], {
    cwd: root,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  })
  return { ok: (await child.exited) === 0 }
}

async function tests(files: readonly string[], processes = 1): Promise<Outcome> {
  if (files.length === 0) return { ok: true, note: "no tests" }
  const options = [`--timeout=${longestTest}`, ...(processes > 1 ? [`--parallel=${processes}`] : [])]
  const child = Bun.spawn([process.execPath, "test", ...options, ...files.map((file) => `./${file}`)], {
    cwd: root,
    env,
    stdio: ["ignore", "inherit", "pipe"],
    timeout: longestRun,
  })
  let report = ""
  const decoder = new TextDecoder()
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk)
    report = (report + decoder.decode(chunk, { stream: true })).slice(-tailLength)
  }
  const code = await child.exited
  const [passed, failed] = [countOf("pass", report), countOf("fail", report)]
  if (passed === undefined || failed === undefined)
    return { ok: false, failed: 1, note: `no result (exit code ${code})` }
  return { ok: code === 0, passed, failed: code === 0 ? failed : Math.max(1, failed) }
}

/** Enough for the totals, which stand at the end of what `bun test` reports. */
const tailLength = 4_096

function countOf(what: "pass" | "fail", report: string): number | undefined {
  const found = [...Bun.stripANSI(report).matchAll(new RegExp(`^ *(\\d+) ${what}$`, "gm"))].at(-1)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Browser tests wait more than they work: so many files of them run beside each other. */
const browsers = 2

const allTests = Array.from(new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync({ cwd: root })).sort()
const inFolder = (folder: string): string[] => allTests.filter((file) => file.startsWith(join("test", folder, "/")))
const onTheirOwn = [...inFolder("binary"), ...inFolder("browser")]

const steps: readonly (readonly [name: string, run: () => Promise<Outcome>])[] = [
  ["Types", () => script("types")],
  ["Lint", () => script("lint")],
  ["Tests", () => tests(allTests.filter((file) => !onTheirOwn.includes(file)))],
  ["Build", () => script("build")],
  ["Executable", () => tests(inFolder("binary"))],
  ["Browser", () => tests(inFolder("browser"), browsers)],
]

const missing = await ensureTools(env)
const rows: string[] = []
const total = { passed: 0, failed: 0, ok: true }
for (const [name, run] of steps) {
  process.stdout.write(`\n== ${name}\n`)
  const started = performance.now()
  const { ok, passed = 0, failed = 0, note } = await run()
  total.passed += passed
  total.failed += failed
  total.ok &&= ok
  const counts = passed + failed > 0 ? `${passed} passed, ${failed} failed` : ""
  const seconds = `${((performance.now() - started) / 1_000).toFixed(1)} s`
  rows.push(
    `${name.padEnd(11)} ${ok ? "ok    " : "FAILED"} ${seconds.padStart(8)}  ${[counts, note].filter(Boolean).join("; ")}`,
  )
}

process.stdout.write(`\n${[...rows, ...missing].map((row) => row.trimEnd()).join("\n")}\n\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.ok ? 0 : 1
