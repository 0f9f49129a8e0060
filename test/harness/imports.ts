import { expect } from "bun:test"
import type { ApiAnswer } from "./api.ts"
import type { TestApp } from "./app.ts"

/** A multipart body with one file. */
export function formWith(content: BlobPart, { part = "file", name = "contacts.csv" } = {}): FormData {
  const form = new FormData()
  form.append(part, new File([content], name, { type: "text/csv" }))
  return form
}

/** Uploads a file; the job waits. Resolves to its id. */
export async function upload(it: TestApp, content: BlobPart): Promise<string> {
  const { status, body } = await it.api("POST /contacts/import", { raw: formWith(content) })
  expect([status, body.status]).toEqual([202, "queued"])
  return body.jobId
}

export const importOf = async (it: TestApp, jobId: string): Promise<ApiAnswer["body"]> =>
  (await it.api(`GET /contacts/import/${jobId}`)).body

/** Uploads a file, lets the job run, and resolves to the job as clients see it. */
export async function importFile(it: TestApp, content: BlobPart): Promise<ApiAnswer["body"]> {
  const jobId = await upload(it, content)
  await it.settle()
  return importOf(it, jobId)
}

export interface SeenContact {
  readonly email: string
  readonly subscribed: boolean
  readonly data: Readonly<Record<string, unknown>>
}

/** What `track` has in the test: contacts that are there before an import. */
export async function addContact(
  it: TestApp,
  email: string,
  data: Record<string, unknown> = {},
  subscribed = true,
): Promise<string> {
  const body = { email, event: "added", data, subscribed }
  return (await it.api("POST /v1/track", { body })).body.data.contact
}
