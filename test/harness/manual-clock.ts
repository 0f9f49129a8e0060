import { expect } from "bun:test"
import type { ApiAnswer } from "./api.ts"
import { appOfTest, type TestApp, type TestOptions } from "./app.ts"

/** A sandbox with a manual clock, for the current test. Its loops are not running. */
export const manualSandbox = (options: TestOptions = {}): Promise<TestApp> =>
  appOfTest({ mode: "sandbox", ...options, settings: { "sandbox.clock": "manual", ...options.settings } })

/** Turns the clock by a duration, all the way; resolves with the answer. */
export async function turn(it: TestApp, advance: string): Promise<ApiAnswer["body"]> {
  const { status, body } = await it.api("POST /sandbox/clock", { body: { advance } })
  expect([status, body.complete]).toEqual([200, true])
  return body
}
