import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Socket } from "bun"
import { freePort } from "../harness/acme.ts"
import { testCertificate } from "../harness/certificate.ts"
import { newDataFolder } from "../harness/data-folder.ts"
import { startMailstead } from "../harness/mailstead.ts"

/** More than the 1,024 files that some systems allow a process, and few enough to be open before the first is closed as idle. */
const amount = 1_500
/** Handshakes at the same time. */
const width = 50

interface Client {
  readonly socket: Socket<undefined>
  /** Sends a request; resolves to the first line of the answer. */
  ask(): Promise<string>
}

async function connect(port: number): Promise<Client> {
  const { promise: secured, resolve: handshake, reject } = Promise.withResolvers<void>()
  let answered: (line: string) => void = () => {}
  let lost: (cause: Error) => void = reject
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    tls: { rejectUnauthorized: false },
    socket: {
      handshake: () => handshake(),
      data: (_socket, chunk) => answered(chunk.toString().split("\r\n", 1)[0] ?? ""),
      close: () => lost(new Error("The connection was closed")),
    },
  })
  await secured
  return {
    socket,
    ask() {
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
      for (let i = 0; i < amount / width; i++) clients.push(await connect(port))
    }),
  )
  expect(clients).toHaveLength(amount)
  const some = clients.filter((_, at) => at % 15 === 0)
  const answers = await Promise.all([...some, await connect(port)].map((client) => client.ask()))
  expect([...new Set(answers)]).toEqual(["HTTP/1.1 200 OK"])
  for (const { socket } of clients) socket.terminate()
  expect(await server.stop()).toBe(0)
  rmSync(folder, { recursive: true, force: true })
})
