import { expect } from "bun:test"
import type { ApiAnswer } from "./api.ts"
import type { TestApp } from "./app.ts"

type Operation = "subscribe" | "unsubscribe" | "delete"

/** Requests a bulk job, which then waits. Resolves to its id. */
export async function startBulk(it: TestApp, operation: Operation, body: object): Promise<string> {
  const answer = await it.api(`POST /contacts/bulk-${operation}`, { body })
  expect([answer.status, answer.body.status]).toEqual([202, "queued"])
  return answer.body.jobId
}

export const bulkOf = async (it: TestApp, jobId: string): Promise<ApiAnswer["body"]> =>
  (await it.api(`GET /contacts/bulk/${jobId}`)).body

/** Requests a bulk job, runs it, and resolves to the job as shown to clients. */
export async function runBulk(it: TestApp, operation: Operation, body: object): Promise<ApiAnswer["body"]> {
  const jobId = await startBulk(it, operation, body)
  await it.settle()
  return bulkOf(it, jobId)
}
