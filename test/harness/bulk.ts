import { expect } from "bun:test"
import type { ApiAnswer } from "./api.ts"
import type { TestApp } from "./app.ts"

export type Operation = "subscribe" | "unsubscribe" | "delete"

/** Asks for a bulk job, which then waits. Resolves to its id. */
export async function startBulk(it: TestApp, operation: Operation, body: object): Promise<string> {
  const answer = await it.api(`POST /contacts/bulk-${operation}`, { body })
  expect([answer.status, answer.body.status]).toEqual([202, "queued"])
  return answer.body.jobId
}

export const bulkOf = async (it: TestApp, jobId: string): Promise<ApiAnswer["body"]> =>
  (await it.api(`GET /contacts/bulk/${jobId}`)).body

/** Asks for a bulk job, lets it run, and resolves to the job as clients see it. */
export async function runBulk(it: TestApp, operation: Operation, body: object): Promise<ApiAnswer["body"]> {
  const jobId = await startBulk(it, operation, body)
  await it.settle()
  return bulkOf(it, jobId)
}
