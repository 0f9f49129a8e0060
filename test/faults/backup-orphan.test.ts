import { afterAll, expect, test } from "bun:test"
import { join } from "node:path"
import { backupDue, fillFolder, inDatabase, namesIn } from "../harness/backups.ts"
import { startServer } from "../harness/mailstead.ts"
import { childrenOf, isRunning } from "../harness/processes.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()
const told: { key: string; state: string; sentence: string }[] = []
const hook = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    told.push((await request.json()) as (typeof told)[number])
    return new Response()
  },
})
afterAll(() => hook.stop(true))

test("a backup of the schedule ends with a server that is killed; the next start records that and alerts", async () => {
  told.length = 0
  const data = folder()
  await fillFolder(data, 24)
  const backups = join(data, "backups")
  const parts = () => namesIn(backups).filter((name) => name.endsWith(".part"))
  const webhook = { MAILSTEAD_ALERTS_WEBHOOK: `http://127.0.0.1:${hook.port}/` }

  /** Kills the server while it has a backup taken, and before it that process too, which then cannot end by itself. */
  async function killDuringBackup(isBoth: boolean): Promise<void> {
    const server = await startServer(data, { ...backupDue(data), ...webhook })
    await until(() => parts().length > 0)
    const [child, ...others] = childrenOf(server.pid)
    if (child === undefined) throw new Error("The backup has ended before the kill.")
    expect(others).toEqual([])
    process.kill(child, "SIGSTOP")
    await server.kill()
    process.kill(child, isBoth ? "SIGKILL" : "SIGCONT")
    await until(() => !isRunning(child))
  }

  await killDuringBackup(false)
  expect(namesIn(backups)).toEqual([])
  await killDuringBackup(true)
  expect(parts()).toHaveLength(1)

  const last = await startServer(data, webhook)
  expect(parts()).toEqual([])
  const rows = inDatabase(data, (db) => db.query("SELECT state, reason FROM backup ORDER BY started_at").all())
  const failed = { state: "FAILED", reason: "The server ended meanwhile." }
  expect(rows.slice(0, 2)).toEqual([failed, failed])
  await until(() => told.length > 0)
  expect(told[0]).toMatchObject({
    key: "backup",
    state: "began",
    sentence: "The last backup failed: The server ended meanwhile. See This server, Backups.",
  })
  expect(await last.stop()).toBe(0)
}, 110_000)
