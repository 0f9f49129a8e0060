import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startProgram } from "./tools/process.ts"
import { below, type Figure } from "./tools/table.ts"

const executable = join(import.meta.dir, "../../dist/mailstead")
const runs = 7

const logMegabytes = 512

/**
 * The executable on an empty folder: the time until it listens (the median of some starts), and its idle memory. And the
 * time until it listens after a kill that left a long log, as there is during a backup under load.
 */
export async function start(): Promise<Figure[]> {
  if (!existsSync(executable)) throw new Error("There is no dist/mailstead: bun run build")
  const times: number[] = []
  let memory = 0
  for (let run = 0; run < runs; run++) {
    const folder = mkdtempSync(join(tmpdir(), "mailstead-start-"))
    const server = await serve(join(folder, "data"))
    times.push(server.readyMs)
    if (run === runs - 1) {
      await Bun.sleep(2_000)
      memory = server.memory()
    }
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const median = times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN
  return [
    below("executable listening, empty folder", median, "ms", 200, "fork and exec"),
    below("executable, resident memory idle", memory, "MB", 150, "nothing"),
    below(`executable listening, a log of ${logMegabytes} MB`, await afterKill(), "ms", 10_000, "a killed writer"),
  ]
}

const serve = (data: string) => startProgram([executable, "serve", "--port", "0", "--data", data], /listening on (\S+)/)

async function afterKill(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-start-"))
  const data = join(folder, "data")
  await (await serve(data)).stop()
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    const writer = Bun.spawn([process.execPath, "-e", writeLog, join(data, "mailstead.db")], { stdout: "inherit" })
    await writer.exited
    const log = statSync(join(data, "mailstead.db-wal")).size / 1_048_576
    if (log < logMegabytes) throw new Error(`The log has ${log} MB only.`)
    const server = await serve(data)
    times.push(server.readyMs)
    await server.stop()
  }
  rmSync(folder, { recursive: true, force: true })
  return times.sort((a, b) => a - b)[1] ?? Number.NaN
}

/** Writes the log in commits of half a megabyte, and is killed. */
const writeLog = `
  const { Database } = require("bun:sqlite")
  const db = new Database(process.argv[1])
  db.run("PRAGMA wal_autocheckpoint = 0")
  const insert = db.prepare(
    "INSERT INTO content (project_id, hash, subject, body, literal, headers, attachments, created_at, used_at) VALUES ('none', hex(randomblob(16)), 'Hi', hex(randomblob(262144)), 0, '{}', '[]', 0, 0)",
  )
  for (let n = 0; n < ${logMegabytes} * 2; n++) insert.run()
  process.kill(process.pid, "SIGKILL")
`
