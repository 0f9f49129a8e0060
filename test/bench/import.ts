import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Instance, startInstance } from "./tools/instance.ts"
import { startProgram } from "./tools/process.ts"
import { below, type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const rows = 50_000
const seconds = 4

/** A CSV import of eight columns, every row durable, against papaparse alone, and `/v1/track` meanwhile. */
export async function csvImport(): Promise<Figure[]> {
  const bare = await papaparseAlone()

  const alone = await startInstance()
  const ms = await imported(alone, csv("example.com"))
  await alone.end()

  const shared = await startInstance()
  const underLoad = { over: false }
  const imports = importOneAfterAnother(shared, underLoad)
  const track = await wrk({
    url: shared.url,
    path: "/v1/track",
    key: shared.project.publicKey,
    body: trackBody,
    connections: 4,
    seconds,
  })
  underLoad.over = true
  await imports
  await shared.end()

  return [
    ratioOf(`import of ${rows.toLocaleString("en")} rows of 8 columns`, rows / (ms / 1_000), bare, 0.1, "one upload"),
    below("job time of it", ms, "ms", 5_000, "one upload"),
    below("track p99 while imports run", track.p99Ms, "ms", 50, "wrk"),
  ]
}

const trackBody = `'{"email":"user' .. (n % 20000) .. '@example.com","event":"purchase","data":{"plan":"pro"}}'`

function csv(domain: string): string {
  const lines = ["email,firstName,lastName,plan,city,score,signup,vip"]
  for (let n = 0; n < rows; n++)
    lines.push(
      `reader${n}@${domain},Reader,Number ${n},${n % 3 ? "free" : "pro"},Oslo,${n % 1_000},2026-01-31,${n % 2 ? "yes" : "no"}`,
    )
  return `${lines.join("\r\n")}\r\n`
}

interface Job {
  readonly status: string
  readonly imported: number
  readonly createdAt: string
  readonly finishedAt: string
}

/** Imports a file and resolves to the time from its row in the store to its end, in ms. */
async function imported({ url, project }: Instance, text: string): Promise<number> {
  const headers = { Authorization: `Bearer ${project.secret}` }
  const body = new FormData()
  body.append("file", new File([text], "readers.csv"))
  const { jobId } = (await (await fetch(`${url}/contacts/import`, { method: "POST", headers, body })).json()) as {
    jobId: string
  }
  for (;;) {
    const job = (await (await fetch(`${url}/contacts/import/${jobId}`, { headers })).json()) as Job
    if (job.status === "completed" && job.imported === rows)
      return Date.parse(job.finishedAt) - Date.parse(job.createdAt)
    if (job.status === "completed" || job.status === "failed") throw new Error(`The import ended ${job.status}.`)
    await Bun.sleep(50)
  }
}

async function importOneAfterAnother(instance: Instance, until: { over: boolean }): Promise<void> {
  for (let n = 0; !until.over; n++) await imported(instance, csv(`file${n}.example.com`))
}

/** Rows per second. */
async function papaparseAlone(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-csv-"))
  const path = join(folder, "readers.csv")
  writeFileSync(path, csv("example.com"))
  const script = join(import.meta.dir, "tools/bare-csv.ts")
  const run = await startProgram([process.execPath, script, path], /rows in ([\d.]+) ms/)
  await run.stop()
  rmSync(folder, { recursive: true, force: true })
  return rows / (Number(run.found) / 1_000)
}
