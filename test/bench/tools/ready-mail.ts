import net from "node:net"
import { createTransport } from "nodemailer"
import smtp from "../../../plugins/smtp/index.ts"
import { systemClock } from "../../../src/kernel/clock.ts"
import { silentLog } from "../../../src/kernel/log.ts"
import type { Outgoing } from "../../../src/mail/transport.ts"
import { messageTo } from "../../contracts/messages.ts"

/**
 * `ready-mail.ts WAY PORT COUNT CONNECTIONS`: hands over messages of 10 KB whose bytes are ready, and prints how long that
 * took and its processor time, in ms. Some messages go before that, so that connections and code are warm.
 */
const [way = "", port = 25, count = 0, connections = 1] = process.argv
  .slice(2)
  .map((text, at) => (at > 0 ? Number(text) : text)) as [string, number, number, number]

const line = "An ordinary line of a newsletter, of seventy-six octets with its line ending\r\n"
const head = "From: Acme <news@acme.test>\r\nTo: reader@example.com\r\nSubject: News\r\n\r\n"
const bytes = Buffer.from(head + line.repeat(Math.ceil((10_240 - head.length) / line.length)))
const paths = { from: "news@acme.test", to: "reader@example.com" }

interface Sender {
  /** Hands all over, `connections` at a time. */
  send(messages: number): Promise<void>
  close(): void
}

/** What every client is measured against: the same octets without reading more of a reply than that it is there. */
function rawSockets(): Sender {
  const envelope = Buffer.from(`MAIL FROM:<${paths.from}> SIZE=${bytes.length}\r\nRCPT TO:<${paths.to}>\r\nDATA\r\n`)
  const content = Buffer.concat([bytes, Buffer.from(".\r\n")])
  let left = 0
  let done = () => {}
  let open = 0
  const starts: (() => void)[] = []
  function connect(): Promise<void> {
    return new Promise((resolve) => {
      let replies = 0
      const next = () => {
        if (left-- > 0) socket.write(envelope)
        else if (--open === 0) done()
      }
      const socket = net.connect(port, "127.0.0.1").setNoDelay(true)
      socket.on("data", (chunk) => {
        if (replies++ === 0) socket.write("HELO bench.test\r\n")
        else if (replies === 2) resolve(void starts.push(next))
        else if (chunk.includes("354 ")) socket.write(content)
        else if (chunk.includes("queued") || chunk.includes("250 2.0.0")) next()
      })
    })
  }
  return {
    async send(messages) {
      while (starts.length < connections) await connect()
      left = messages
      open = connections
      await new Promise<void>((resolve) => {
        done = resolve
        for (const start of starts) start()
      })
    },
    close() {},
  }
}

async function atATime(messages: number, send: () => Promise<unknown>): Promise<void> {
  let left = messages
  const one = async () => {
    while (left-- > 0) await send()
  }
  await Promise.all(Array.from({ length: connections }, one))
}

/** Our transport, as the delivery uses it. */
async function transport(options: string): Promise<Sender> {
  const url = new URL(`smtp://127.0.0.1:${port}?tls=off&pool=${connections}${options}`)
  const made = await smtp.create(url, { log: silentLog, clock: systemClock, env: () => undefined })
  const message: Outgoing = { ...messageTo(paths.to), envelope: paths, mime: () => bytes, bytes: async () => bytes }
  const never = new AbortController().signal
  return {
    send: (messages) =>
      atATime(messages, async () => {
        const [receipt] = await made.send([message], never)
        if (receipt?.outcome !== "sent") throw new Error(`The server did not take it: ${receipt?.reason}`)
      }),
    close: () => void made.close(),
  }
}

function nodemailerPool(): Sender {
  const maxMessages = Number.POSITIVE_INFINITY
  const pool = createTransport({
    pool: true,
    host: "127.0.0.1",
    port,
    ignoreTLS: true,
    maxConnections: connections,
    maxMessages,
  })
  return {
    send: (messages) => atATime(messages, () => pool.sendMail({ envelope: paths, raw: bytes })),
    close: () => pool.close(),
  }
}

const ways: Record<string, () => Sender | Promise<Sender>> = {
  raw: rawSockets,
  own: () => transport(""),
  "own by nodemailer": () => transport("&client=nodemailer"),
  pool: nodemailerPool,
}

const sender = await ways[way]?.()
if (!sender) throw new Error(`There is no way ${way}.`)
await sender.send(Math.ceil(count / 10))
const began = { at: performance.now(), cpu: process.cpuUsage() }
await sender.send(count)
const { user, system } = process.cpuUsage(began.cpu)
console.log(`sent in ${performance.now() - began.at} ms, processor ${(user + system) / 1_000} ms`)
sender.close()
process.exit(0)
