import { expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { day, hour, minute } from "../../src/kernel/clock.ts"
import { certificateAt, freePort, obtained, startAcmeApp } from "../harness/acme.ts"
import { type Resource, startAcmeServer } from "../harness/acme-server.ts"
import { testCertificate } from "../harness/certificate.ts"
import { newDataFolder } from "../harness/data-folder.ts"
import { startMailstead } from "../harness/mailstead.ts"

test("a server that is killed during a renewal keeps its certificate, does not hurry, and renews it in the end", async () => {
  const authority = startAcmeServer()
  const folder = newDataFolder("serve")
  const ca = join(folder, "authority.pem")
  writeFileSync(ca, testCertificate.cert)
  authority.plainPort = await freePort()

  // Due for renewal as soon as it is obtained.
  authority.validity = () => ({ beginsAt: Date.now() - 80 * day, expiresAt: Date.now() + 10 * day })
  const first = await startAcmeApp({ directory: authority.directory, plainPort: authority.plainPort, folder })
  await first.logged(obtained)
  const { serialNumber } = await first.certificate()
  await first.stop()

  const killAt = async (resource: Resource) => {
    const port = await freePort()
    const gate = Promise.withResolvers<void>()
    authority.next(resource, gate.promise)
    const reached = authority.received(resource)
    const server = await startMailstead(
      ["serve", "mail.example.com", "www.example.com", "--port", "0", "--data", folder],
      {
        env: {
          MAILSTEAD_HTTP_TLS_HOST: "127.0.0.1",
          MAILSTEAD_HTTP_TLS_PORT: String(port),
          MAILSTEAD_HTTP_PLAIN_PORT: String(authority.plainPort),
          MAILSTEAD_HTTP_ACME_DIRECTORY: authority.directory,
          MAILSTEAD_HTTP_ACME_CA: ca,
        },
      },
    )
    await reached
    expect((await certificateAt(port)).serialNumber).toBe(serialNumber)
    await server.kill()
    gate.resolve()
  }
  await killAt("challenge")
  rmSync(join(folder, "tls", "attempts.json"))
  await killAt("cert")

  const asked = authority.asked.length
  const last = await startAcmeApp({ directory: authority.directory, plainPort: authority.plainPort, folder })
  expect((await last.certificate()).serialNumber).toBe(serialNumber)
  authority.validity = () => ({ beginsAt: last.clock.now() - hour, expiresAt: last.clock.now() + 90 * day })
  expect(authority.asked).toHaveLength(asked)
  last.clock.jump(2 * minute)
  await last.logged(obtained)
  expect((await last.certificate()).serialNumber).not.toBe(serialNumber)
  await last[Symbol.asyncDispose]()
  await authority.stop()
})
