import { createTransport } from "nodemailer"
import { tenKilobytes } from "./seed-mail.ts"

/** The bare limit of the delivery: nodemailer's own pool, alone, with messages that are ready to be sent. */
const [port, count, connections] = process.argv.slice(2).map(Number)
const pool = createTransport({
  pool: true,
  host: "127.0.0.1",
  port: port ?? 25,
  ignoreTLS: true,
  maxConnections: connections ?? 16,
  maxMessages: Number.POSITIVE_INFINITY,
})
const text = tenKilobytes.replace(/<[^>]+>/g, "")
const started = performance.now()
await Promise.all(
  Array.from({ length: count ?? 0 }, (_, n) =>
    pool.sendMail({
      from: "Acme <news@acme.test>",
      to: `reader${n}@example.com`,
      subject: `News for Reader ${n}`,
      html: tenKilobytes.replace("{{name ?? there}}", `Reader ${n}`),
      text,
    }),
  ),
)
console.log(`sent in ${performance.now() - started} ms`)
pool.close()
