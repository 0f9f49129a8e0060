import { randomBytes } from "node:crypto"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { bytesOfId } from "../../src/kernel/ids.ts"
import { inside } from "./tools/contacts.ts"
import { type Instance, startInstance } from "./tools/instance.ts"
import { p99Paced } from "./tools/paced.ts"
import { below, type Figure } from "./tools/table.ts"

/** `BENCH_BACKUP_MB=2048 bun run bench backup` takes backups of 2 GB. */
const megabytes = Number(process.env.BENCH_BACKUP_MB ?? 200)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const perSecond = Number(process.env.BENCH_PER_SECOND ?? 300)
const windowSeconds = 5
const main = join(import.meta.dir, "../../src/main.ts")

/**
 * Backups while events are tracked at a steady rate, alternating with no backup and with processes that only compute, as
 * many and of the same priority: what a write waits for a backup beyond those is due to the database and the disk. And a
 * restore.
 */
export async function backup(): Promise<Figure[]> {
  const instance = await startInstance({}, fill)
  const { folder } = instance
  const [file, restored] = [join(folder, "bench.tar.zst"), join(folder, "restored")]
  const p99 = { quiet: [] as number[], computing: [] as number[], backup: [] as number[] }
  const tookMs: number[] = []
  let log = 0
  await track(instance)
  for (let round = 0; round < rounds; round++) {
    p99.quiet.push(await track(instance), await track(instance))
    const burning = ["-e", "-e"].map((flag) => spawn(["nice", "-n", "10", process.execPath, flag, "for (;;);"]))
    p99.computing.push(await track(instance), await track(instance))
    for (const child of burning) child.kill()
    rmSync(file, { force: true })
    const startedAt = performance.now()
    const child = spawn([process.execPath, main, "backup", file, "--data", folder])
    let isOver = false
    void child.exited.then(() => {
      isOver = true
      tookMs.push(performance.now() - startedAt)
    })
    const look = setInterval(() => {
      log = Math.max(log, statSync(join(folder, "mailstead.db-wal")).size / 1_048_576)
    }, 500)
    while (!isOver) p99.backup.push(await track(instance))
    clearInterval(look)
  }
  const restoreAt = performance.now()
  await Bun.$`${process.execPath} ${main} restore ${file} --data ${restored} --secret-file ${join(folder, "secret")}`.quiet()
  const restoreMs = performance.now() - restoreAt
  const size = statSync(file).size / 1_048_576
  await instance.end()
  const [quiet, computing, during] = [median(p99.quiet), median(p99.computing), median(p99.backup)]
  return [
    below(`track p99 at ${perSecond}/s`, quiet, "ms", 50, "paced"),
    below("track p99 beside two computing processes of that priority", computing, "ms", 50, "paced"),
    below(`track p99 during a backup of ${megabytes} MB`, during, "ms", 50, "paced"),
    below("what a write waits for the backup, by p99", during - quiet, "ms", 20, "paced"),
    below("what of that is not the processor", during - computing, "ms", 20, "paced"),
    below("the longest log, in MB", log, "MB", megabytes, "paced"),
    below(`a backup (${size.toFixed(0)} MB) under load`, median(tookMs) / 1_000, "s", megabytes / 10, "paced"),
    below("its restore, with all checks", restoreMs / 1_000, "s", megabytes / 10, "nothing"),
  ]
}

const spawn = (command: string[]) => Bun.spawn(command, { stdout: "ignore" })

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

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
        content.run(bytesOfId(projectId), `hash${n}`, randomBytes(3_500).toString("hex") + text, now, now)
    })()
  })
}

/** The 99th percentile of the time of an answer, in ms. */
const track = ({ url, project }: Instance): Promise<number> =>
  p99Paced({
    urls: [`${url}/v1/track`],
    connections: 8,
    perSecond,
    seconds: windowSeconds,
    request: (n) => ({
      method: "POST",
      headers: { Authorization: `Bearer ${project.publicKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ email: `user${n % 1_000}@example.com`, event: "login", data: { amount: 49 } }),
    }),
  })
