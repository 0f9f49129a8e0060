import type { Report, ReportedMail } from "../emails/index.ts"

/** What a provider reports of one message. */
export interface ProviderReport {
  /** What the provider repeats this very report under; unique among all providers. */
  readonly key: string
  readonly mail: ReportedMail
  /** Undefined for what has no effect (contract B9.2.7). */
  readonly report: Report | undefined
}

/** The string at a path of nested objects; null when there is none, or an empty one. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  let at = value
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return null
    at = (at as Record<string, unknown>)[name]
  }
  return typeof at === "string" && at !== "" ? at : null
}
