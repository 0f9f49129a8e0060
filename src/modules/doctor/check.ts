import type { Clock } from "../../kernel/clock.ts"
import { reasonOf } from "../../kernel/log.ts"

export const checkStatuses = ["ok", "warn", "fail"] as const
type CheckStatus = (typeof checkStatuses)[number]

/** One line of the report (contract A8.1, `doctor`). */
export interface Finding {
  readonly name: string
  readonly status: CheckStatus
  /** What was found and, unless all is well, a sentence on what to do. */
  readonly message: string
}

export type Verdict = Omit<Finding, "name">

export const ok = (message: string): Verdict => ({ status: "ok", message })
export const warn = (message: string): Verdict => ({ status: "warn", message })
export const fail = (message: string): Verdict => ({ status: "fail", message })

/** Looks at one thing and changes nothing. Gives findings of its own names where there are several of a kind. */
export interface Check {
  readonly name: string
  /** Explains what a timeout means; without it only the timeout is reported. */
  readonly late?: Verdict
  run(abort: AbortSignal): Promise<Verdict | readonly Finding[]> | Verdict
}

/** Runs all checks at once. None takes longer than `limitMs`; one that throws or is late is a finding. */
export async function runChecks(checks: readonly Check[], clock: Clock, limitMs: number): Promise<Finding[]> {
  const found = await Promise.all(checks.map((check) => runCheck(check, clock, limitMs)))
  return found.flat()
}

async function runCheck(check: Check, clock: Clock, limitMs: number): Promise<readonly Finding[]> {
  const { name, late = noResultIn(limitMs) } = check
  const [overdue, done] = [new AbortController(), new AbortController()]
  const timeout = clock.sleep(limitMs, done.signal).then(() => {
    overdue.abort()
    return late
  })
  try {
    const found = await Promise.race([Promise.resolve(check.run(overdue.signal)), timeout])
    return Array.isArray(found) ? found : [{ name, ...(found as Verdict) }]
  } catch (cause) {
    return [{ name, ...fail(`This could not be checked: ${reasonOf(cause)}`) }]
  } finally {
    done.abort()
  }
}

const noResultIn = (limitMs: number): Verdict =>
  warn(`There was no result within ${limitMs / 1_000} seconds: run it again, and look at the network and the load.`)

/** Removes the full stop at the end of a reason. */
export const clause = (reason: string): string => reason.trimEnd().replace(/\.$/, "")
