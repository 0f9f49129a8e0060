import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Socket } from "bun"
import { freePort } from "../harness/acme.ts"
import { testCertificate } from "../harness/certificate.ts"
import { newDataFolder } from "../harness/data-folder.ts"
import { startMailstead } from "../harness/mailstead.ts"

const amount = 4_000
/**
 * The server closes a connection that has been without a request for a minute, and one that has never had one after ten seconds;
 * a slow machine takes longer to open all of them.
 */
const quietMs = 20_000
/** Handshakes at the same time. */
const width = 50

interface Client {
  readonly socket: Socket<undefined>
  /** Of `performance.now()`: when it was opened, or asked last. */
  readonly usedAt: number
  /** Sends a request; resolves to the first line of the answer. */
  ask(): Promise<string>
}

async function connect(port: number): Promise<Client> {
  const { promise: secured, resolve: handshake, reject } = Promise.withResolvers<void>()
  let answered: (line: string) => void = () => {}
  let lost: (cause: Error) => void = reject
  let closed: Error | undefined
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    tls: { rejectUnauthorized: false },
    socket: {
      handshake: () => handshake(),
      data: (_socket, chunk) => answered(chunk.toString().split("\r\n", 1)[0] ?? ""),
      close() {
        closed = new Error("The connection was closed")
        lost(closed)
      },
    },
  })
  await secured
  let usedAt = performance.now()
  return {
    socket,
    get usedAt() {
      return usedAt
    },
    ask() {
      usedAt = performance.now()
      if (closed) return Promise.reject(closed)
      const answer = new Promise<string>((resolve, reject) => {
        answered = resolve
        lost = reject
      })
      socket.write("GET /health/ HTTP/1.1\r\nHost: mail.example.com\r\n\r\n")
      return answer
    },
  }
}

test(`${amount} open connections of https stay answered, and so do new ones`, async () => {
  const folder = newDataFolder("serve")
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") }
  writeFileSync(files.cert, testCertificate.cert)
  writeFileSync(files.key, testCertificate.key)
  const port = await freePort()
  const server = await startMailstead(["serve", "mail.example.com", "--port", "0", "--data", folder], {
    env: {
      MAILSTEAD_HTTP_TLS_HOST: "127.0.0.1",
      MAILSTEAD_HTTP_TLS_PORT: String(port),
      MAILSTEAD_HTTP_PLAIN_PORT: String(await freePort()),
      MAILSTEAD_HTTP_TLS_CERT: files.cert,
      MAILSTEAD_HTTP_TLS_KEY: files.key,
    },
  })
  const clients: Client[] = []
  await Promise.all(
    Array.from({ length: width }, async () => {
      const own: Client[] = []
      for (let i = 0; i < amount / width; i++) {
        const client = await connect(port)
        await client.ask()
        own.push(client)
        for (const client of own) if (performance.now() - client.usedAt > quietMs) await client.ask()
      }
      clients.push(...own)
    }),
  )
  expect(clients).toHaveLength(amount)
  const some = clients.filter((_, at) => at % 40 === 0)
  const answers = await Promise.all([...some, await connect(port)].map((client) => client.ask()))
  expect([...new Set(answers)]).toEqual(["HTTP/1.1 200 OK"])
  for (const { socket } of clients) socket.terminate()
  expect(await server.stop()).toBe(0)
  rmSync(folder, { recursive: true, force: true })
})
