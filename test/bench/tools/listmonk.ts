import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { SQL } from "bun"
import { connections, freePort, startSink } from "../delivery.ts"
import { type Running, startListening } from "./process.ts"
import { measured, type Round } from "./rounds.ts"
import { tenKilobytes } from "./seed-mail.ts"

interface Listmonk {
  /** It is run in its folder, where one that was built without its files finds them. */
  readonly program: string
  /** The address of a PostgreSQL database; what is in it is deleted. */
  readonly database: string
}

/** What `BENCH_LISTMONK` and `BENCH_LISTMONK_DATABASE` name; undefined unless both do. */
export function listmonkOf({ BENCH_LISTMONK: program, BENCH_LISTMONK_DATABASE: database }: typeof process.env) {
  return program && database ? { program, database } : undefined
}

/**
 * A campaign by listmonk with a text part, as ours has one: the rate from when it takes the campaign up until the last
 * hand-over. The processor time is without that of PostgreSQL.
 */
export async function listmonkCampaign({ program, database }: Listmonk, count: number): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-listmonk-"))
  const sql = new SQL(database)
  const sink = await startSink({ messages: count })
  let running: Running | undefined
  try {
    const port = await freePort()
    const config = join(folder, "config.toml")
    writeFileSync(config, configOf(database, port))
    const cwd = dirname(program)
    await Bun.$`${program} --config ${config} --install --yes`.cwd(cwd).quiet()
    await fill(sql, sink.port, count)
    const server = await startListening([program, "--config", config], port, cwd)
    running = server
    return await measured(server, async () => {
      await sql`UPDATE campaigns SET status = 'running'`
      await sink.ended
      const [campaign] = await sql`SELECT extract(epoch FROM started_at)::float8 AS began FROM campaigns`
      return { perSecond: count / (Date.now() / 1_000 - campaign.began), count }
    })
  } finally {
    await running?.stop()
    await sink.stop()
    await sql.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function configOf(database: string, port: number): string {
  const { hostname, port: databasePort, username, password, pathname } = new URL(database)
  return `[app]
address = "127.0.0.1:${port}"
[db]
host = "${hostname}"
port = ${databasePort || 5432}
user = "${decodeURIComponent(username)}"
password = "${decodeURIComponent(password)}"
database = "${pathname.slice(1)}"
ssl_mode = "disable"
max_open = 25
max_idle = 25
max_lifetime = "300s"
`
}

/** As many connections and senders as ours has, no limit of its rate, the readers in its first list, and a campaign to that. */
async function fill(sql: SQL, sinkPort: number, count: number): Promise<void> {
  const server = {
    uuid: crypto.randomUUID(),
    enabled: true,
    host: "127.0.0.1",
    port: sinkPort,
    auth_protocol: "none",
    max_conns: connections,
    idle_timeout: "15s",
    wait_timeout: "5s",
    max_msg_retries: 2,
    tls_enabled: false,
    tls_type: "none",
    email_headers: [],
  }
  const settings = {
    smtp: [server],
    "app.concurrency": connections,
    "app.message_rate": 100_000,
    "app.check_updates": false,
  }
  for (const [key, value] of Object.entries(settings))
    await sql`UPDATE settings SET value = ${JSON.stringify(value)}::text::jsonb WHERE key = ${key}`
  await sql`DELETE FROM subscribers`
  await sql`INSERT INTO subscribers (uuid, email, name)
    SELECT gen_random_uuid(), 'reader' || n || '@example.com', 'Reader ' || n FROM generate_series(1, ${count}::int) AS n`
  await sql`INSERT INTO subscriber_lists (subscriber_id, list_id, status) SELECT id, 1, 'confirmed' FROM subscribers`
  await sql`DELETE FROM campaigns`
  const html = tenKilobytes
    .replace("{{name ?? there}}", "{{ .Subscriber.Name }}")
    .replace("{{email}}", "{{ .Subscriber.Email }}")
  const text = html.replace(/<[^>]*>/g, "")
  await sql`WITH made AS (
      INSERT INTO campaigns (uuid, name, subject, from_email, body, altbody, content_type, messenger, type)
      VALUES (gen_random_uuid(), 'News', 'News for {{ .Subscriber.Name }}', 'news@acme.test', ${html}, ${text}, 'html', 'email', 'regular')
      RETURNING id
    ) INSERT INTO campaign_lists (campaign_id, list_id, list_name) SELECT id, 1, 'Readers' FROM made`
}
