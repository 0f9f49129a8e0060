/** What a run of `bun test` has told so far, which counts even if it never prints its totals. */
export interface TestReport {
  readonly passed: number
  readonly failed: number
  /** The tests that failed, each behind its file. */
  readonly failures: readonly string[]
  /** Tests that passed only at their second attempt: they depend on the order of things on this machine. */
  readonly unstable: readonly string[]
}

const fileLine = /^(\S+\.test\.tsx?):$/
const passLine = /^(?:\(pass\)|✓) (.*?)( \(attempt 2\))?(?: \[[\d.]+ms\])?$/
const failLine = /^(?:(?:\(fail\)|✗) (.*?)(?: \(attempt 2\))?(?: \[[\d.]+ms\])?|# (Unhandled error.*))$/
/** What follows repeats the failures, without their files. */
const recapLine = /^\d+ tests failed:$/
const totalLine = /^ *(\d+) (pass|fail)$/

/** Reads the lines of its report. */
export function createTestReport() {
  let file = ""
  let isRecap = false
  const counts = { pass: 0, fail: 0 }
  const failures = new Set<string>()
  const unstable: string[] = []
  return {
    read(line: string): void {
      const text = Bun.stripANSI(line)
      file = fileLine.exec(text)?.[1] ?? file
      const [, passed, isSecond] = passLine.exec(text) ?? []
      if (passed !== undefined) counts.pass++
      if (passed !== undefined && isSecond) unstable.push(passed)
      isRecap ||= recapLine.test(text)
      const [, failed, error] = failLine.exec(text) ?? []
      if (!isRecap && (failed ?? error)) failures.add(`${file}: ${failed ?? error}`)
      const [, total, kind] = totalLine.exec(text) ?? []
      if (kind === "pass" || kind === "fail") counts[kind] = Number(total)
    },
    told: (): TestReport => ({
      passed: counts.pass,
      failed: Math.max(counts.fail, failures.size),
      failures: [...failures],
      unstable,
    }),
  }
}
