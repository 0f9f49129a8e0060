import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { withModules } from "../../../src/app.ts"
import { loadConfig } from "../../../src/config.ts"
import { recordKeyOf } from "../../../src/modules/domains/records.ts"
import { type Running, startProgram } from "./process.ts"

const root = join(import.meta.dir, "../../..")
const listening = /listening on (http:\/\/\S+)/

export interface Instance extends Running {
  readonly url: string
  readonly folder: string
  readonly project: { readonly id: string; readonly secret: string; readonly publicKey: string }
  /** Stops the server and deletes its data. */
  end(): Promise<void>
}

/** All limits are off, so that the machine is measured. */
const unlimited = { MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0", MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "0" }

/**
 * `mailstead serve` from source in a process of its own, with a project and the domain acme.test; `fill` may put rows
 * in first.
 */
export async function startInstance(
  env: Record<string, string> = {},
  fill: (folder: string, projectId: string) => void | Promise<void> = () => {},
  { signed = false }: { /** With DKIM keys, whose records count as published. */ readonly signed?: boolean } = {},
): Promise<Instance> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-bench-"))
  const { config } = loadConfig({ options: { data: folder } })
  const project = await withModules(config, async ({ projects, domains }) => {
    const created = await projects.create("Bench")
    await domains.add(created.id, "acme.test", { vouched: !signed })
    // Listing makes the keys.
    await domains.list(created.id)
    return created
  })
  if (signed) publish(folder)
  await fill(folder, project.id)
  // The filled data is synced before anything is measured, because otherwise the first commits would wait for gigabytes
  // of it.
  await Bun.$`sync`.quiet().nothrow()
  const command = [process.execPath, join(root, "src/main.ts"), "serve", "--port", "0", "--data", folder]
  const running = await startProgram(command, listening, { ...unlimited, ...env })
  return {
    ...running,
    url: running.found,
    folder,
    project,
    async end() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Calls the API of an instance with the secret key; rejects unless it succeeds. */
export const caller =
  ({ url, project }: Instance) =>
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely
  async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { Authorization: `Bearer ${project.secret}`, "Content-Type": "application/json" }
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.status === 204 ? undefined : answer.json()
  }

/** Makes the domains verified, without a DNS that has their records. */
function publish(folder: string): void {
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  const keys = db.query<{ selector: string }, []>("SELECT selector FROM dkim_key").all()
  const checks = keys.map(({ selector }) => [recordKeyOf(selector), { status: "VERIFIED", found: [] }])
  db.run("UPDATE domain SET verified = 1, checks = ?", [JSON.stringify(Object.fromEntries(checks))])
  db.close()
}

export const startBare = (): Promise<Running> =>
  startProgram([process.execPath, join(import.meta.dir, "bare-http.ts")], listening)
