import { resolve } from "node:path"
import { type Outcome, runTests } from "./test-run.ts"
import { ensureTools } from "./tools.ts"

/**
 * `bun run check`: the executable, then every test, with types and lint beside them. Runs everything even when one part
 * fails, prints the slowest test files, the tests that needed a second attempt and those that failed, ends with
 * `N passed, N failed` alone on a line, and exits with 1 when anything failed.
 */
const root = resolve(import.meta.dir, "..")

/** Debian's sbin is not on every path; settings of the person who runs this must not affect the tests. */
const env: Record<string, string | undefined> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("MAILSTEAD_"))),
  PATH: [process.env.PATH, "/usr/local/sbin", "/usr/sbin", "/sbin"].filter(Boolean).join(":"),
  ...(process.stderr.isTTY ? { FORCE_COLOR: "1" } : {}),
}

const executable = resolve(root, "dist", process.platform === "win32" ? "mailstead.exe" : "mailstead")

interface Row extends Outcome {
  readonly name: string
  readonly seconds: number
}

async function timed<T extends Outcome>(name: string, run: () => Promise<T>): Promise<T & Row> {
  const started = performance.now()
  const outcome = await run()
  return { ...outcome, name, seconds: (performance.now() - started) / 1_000 }
}

/**
 * Runs a script with this same Bun, because there may be no other; with `--bun` it also replaces a missing Node. Its
 * output is printed in one piece, because other scripts run at the same time.
 */
async function script(name: string): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, "--bun", "run", name], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const printed = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  process.stdout.write(`\n== bun run ${name}\n${printed.join("")}`)
  return { ok: (await child.exited) === 0 }
}

function lineOf({ name, ok, seconds, passed = 0, failed = 0, note }: Row): string {
  const counts = passed + failed > 0 ? `${passed} passed, ${failed} failed` : ""
  const time = `${seconds.toFixed(1)} s`.padStart(8)
  return `${name.padEnd(8)} ${ok ? "ok    " : "FAILED"} ${time}  ${[counts, note].filter(Boolean).join("; ")}`.trimEnd()
}

// The build runs alone, because the tests wait for it; types and lint run beside the tests and end long before them.
const tools = ensureTools(env)
const build = await timed("Build", () => script("build"))
const checks = [timed("Types", () => script("types")), timed("Lint", () => script("lint"))]
const missing = await tools
process.stdout.write("\n== Tests\n")
const files = Array.from(new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync({ cwd: root })).sort()
const programEnv = build.ok ? { MAILSTEAD_TEST_EXECUTABLE: executable } : {}
const tests = await timed("Tests", () => runTests({ root, files, env: { ...env, ...programEnv } }))

const rows: readonly Row[] = [...(await Promise.all(checks)), build, tests]
const slowest = tests.times.slice(0, 5).map(([file, ms]) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`)
process.stdout.write(`\nThe slowest test files:\n${slowest.join("\n")}\n`)
const named = [
  ...tests.unstable.map((name) => `Passed only at the second attempt: ${name}`),
  ...tests.failures.map((name) => `Failed: ${name}`),
]
process.stdout.write(`\n${[...rows.map(lineOf), ...missing, ...named].join("\n")}\n\n`)
process.stdout.write(`${tests.passed ?? 0} passed, ${tests.failed ?? 0} failed\n`)
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
