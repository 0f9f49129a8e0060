import { expect, test } from "bun:test"
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { day, hour, minute } from "../../src/kernel/clock.ts"
import { certificateAt, createJumpingClock, freePort, obtained, startAcmeApp } from "../harness/acme.ts"
import { type Resource, startAcmeServer } from "../harness/acme-server.ts"
import { testCertificate } from "../harness/certificate.ts"
import { newDataFolder } from "../harness/data-folder.ts"
import { type RunOptions, requireMounts, startMailstead } from "../harness/mailstead.ts"
import { until } from "../harness/store.ts"

/** An authority, and the data folder of a stopped server whose certificate is due for renewal. */
async function prepare() {
  const authority = startAcmeServer()
  const folder = newDataFolder("serve")
  const ca = join(folder, "authority.pem")
  writeFileSync(ca, testCertificate.cert)
  authority.plainPort = await freePort()

  authority.validity = () => ({ beginsAt: Date.now() - 81 * day, expiresAt: Date.now() + 9 * day })
  const clock = createJumpingClock()
  clock.jump(-80 * day)
  const first = await startAcmeApp({ directory: authority.directory, plainPort: authority.plainPort, folder, clock })
  await first.logged(obtained)
  const { serialNumber } = await first.certificate()
  await first.stop()

  /** Starts the server, and resolves when it has asked for this resource, with the answer held back. */
  const startAndReach = async (resource: Resource, options: Pick<RunOptions, "tmpfs"> = {}) => {
    const port = await freePort()
    const gate = Promise.withResolvers<void>()
    authority.next(resource, gate.promise)
    const reached = authority.received(resource)
    const server = await startMailstead(
      ["serve", "mail.example.com", "www.example.com", "--port", "0", "--data", folder],
      {
        ...options,
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
    return { port, server, answer: gate.resolve }
  }
  /** A server with room on its disk and a clock that can be moved renews, once it is time for another attempt. */
  const renewsInTheEnd = async () => {
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
  }
  return { folder, startAndReach, renewsInTheEnd }
}

test("a server that is killed during a renewal keeps its certificate, does not hurry, and renews it in the end", async () => {
  const { folder, startAndReach, renewsInTheEnd } = await prepare()
  const killAt = async (resource: Resource) => {
    const { server, answer } = await startAndReach(resource)
    await server.kill()
    answer()
  }
  await killAt("challenge")
  rmSync(join(folder, "tls", "attempts.json"))
  await killAt("cert")
  await renewsInTheEnd()
})

test("a disk that gets full during a renewal keeps the old file; the new certificate is used, and obtained again after a restart", async () => {
  const { folder, startAndReach, renewsInTheEnd } = await prepare()
  const at = join(folder, "tls")
  const [before, after] = [join(folder, "before"), join(folder, "after")]
  renameSync(at, before)
  mkdirSync(at)
  await requireMounts(at)
  const { port, server, answer } = await startAndReach("cert", { tmpfs: { at, options: "size=64k", from: before } })
  const seen = join("/proc", String(server.pid), "root", at)
  expect(() => {
    for (;;) appendFileSync(join(seen, "filler"), new Uint8Array(4_096))
  }).toThrow("ENOSPC")
  const { serialNumber } = await certificateAt(port)
  answer()
  // Nobody listens for a moment.
  const shown = () =>
    certificateAt(port).then(
      (certificate) => certificate.serialNumber,
      () => serialNumber,
    )
  await until(async () => (await shown()) !== serialNumber)
  expect(readdirSync(seen).sort()).toEqual(["account.pem", "attempts.json", "certificate.pem", "filler"])
  const file = (tls: string) => readFileSync(join(tls, "certificate.pem"), "utf8")
  expect(file(seen)).toBe(file(before))
  cpSync(seen, after, { recursive: true })
  expect(await server.stop()).toBe(0)
  rmSync(at, { recursive: true })
  renameSync(after, at)
  await renewsInTheEnd()
})
