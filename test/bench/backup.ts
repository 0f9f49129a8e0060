import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { join } from "node:path"
import { inside } from "./tools/contacts.ts"
import { type Instance, startInstance } from "./tools/instance.ts"
import { below, type Figure } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

/** `BENCH_BACKUP_MB=2048 bun run bench backup` takes one of 2 GB. */
const megabytes = Number(process.env.BENCH_BACKUP_MB ?? 200)
const main = join(import.meta.dir, "../../src/main.ts")

/** A backup while events are tracked, and its restore. */
export async function backup(): Promise<Figure[]> {
  const instance = await startInstance({}, fill)
  const { folder } = instance
  const [file, restored] = [join(folder, "bench.tar.zst"), join(folder, "restored")]
  const quiet = await track(instance, 5)
  const child = Bun.spawn([process.execPath, main, "backup", file, "--data", folder], { stdout: "ignore" })
  const startedAt = performance.now()
  let tookMs: number | undefined
  void child.exited.then(() => {
    tookMs = performance.now() - startedAt
  })
  const during: number[] = []
  while (tookMs === undefined) during.push((await track(instance, 2)).p99Ms)
  const log = statSync(join(folder, "mailstead.db-wal")).size / 1_048_576
  const after = await track(instance, 5)
  const restoreAt = performance.now()
  await Bun.$`${process.execPath} ${main} restore ${file} --data ${restored} --secret-file ${join(folder, "secret")}`.quiet()
  const restoreMs = performance.now() - restoreAt
  const size = statSync(file).size / 1_048_576
  await instance.end()
  const median = during.sort((a, b) => a - b)[during.length >> 1] ?? Number.NaN
  return [
    below("track p99 before a backup", quiet.p99Ms, "ms", 50, "wrk"),
    below(`track p99 during a backup of ${megabytes} MB`, median, "ms", 50, "wrk"),
    below("track p99 after it", after.p99Ms, "ms", 50, "wrk"),
    below(
      `a backup of ${megabytes} MB (${size.toFixed(0)} MB, log ${log.toFixed(0)} MB) under load`,
      tookMs / 1_000,
      "s",
      megabytes / 10,
      "wrk",
    ),
    below("its restore, with all checks", restoreMs / 1_000, "s", megabytes / 10, "nothing"),
  ]
}

/** Contents of mail, which are compressed to about a third. */
function fill(folder: string, projectId: string): void {
  inside(folder, (db) => {
    db.run("PRAGMA synchronous = OFF")
    const content = db.prepare(
      "INSERT INTO content (project_id, hash, subject, body, literal, headers, attachments, created_at, used_at) VALUES (?, ?, 'Hi', ?, 0, '{}', '[]', ?, ?)",
    )
    const text = "<p>Hello {{name}}, this is one of many.</p>".repeat(200)
    const now = Date.now()
    db.transaction(() => {
      for (let n = 0; n < megabytes * 64; n++)
        content.run(projectId, `hash${n}`, randomBytes(3_500).toString("hex") + text, now, now)
    })()
  })
}

const track = ({ url, project }: Instance, seconds: number) =>
  wrk({
    url,
    path: "/v1/track",
    key: project.publicKey,
    body: `'{"email":"user' .. n % 1000 .. '@example.com","event":"login","data":{"amount":49}}'`,
    connections: 8,
    seconds,
  })
