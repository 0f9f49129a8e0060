import { expect, test } from "bun:test"
import { connect } from "node:net"
import { createSmtpPorts } from "../../src/inbound/ports.ts"
import { cannotListen } from "../../src/net/cannot-listen.ts"
import { createCertificateHolder } from "../../src/tls/certificate.ts"
import { renewedCertificate, testCertificate } from "../harness/certificate.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { recordingLog, until } from "../harness/store.ts"

/** Ports whose listeners are opened by the test. */
function portsByHand(ports: { submission?: number; secure?: number }, host = "127.0.0.1") {
  const { log, records } = recordingLog()
  const certificates = createCertificateHolder()
  const waiting: (() => void)[] = []
  const all = createSmtpPorts({
    host,
    hostname: () => "mail.test",
    service: {
      auth: "none",
      receiver: () => new Promise((resolve) => waiting.push(() => resolve({} as never))),
    },
    clock: createFakeClock(),
    log,
    ports,
    certificates,
  })
  const open = () => {
    for (const next of waiting.splice(0)) next()
  }
  return { all, certificates, waiting, records, open }
}

const isListening = (port: number | null) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port ?? 0, "127.0.0.1")
    socket.on("connect", () => resolve(socket.destroy() !== undefined))
    socket.on("error", () => resolve(false))
  })

test("two certificates in quick succession bind the port of TLS once", async () => {
  const { all, certificates, waiting, records, open } = portsByHand({ secure: 0 })
  await all.start()
  certificates.set(testCertificate)
  certificates.set(renewedCertificate)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(waiting.length).toBe(1)
  open()
  await until(() => all.bound().secure !== null)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect([waiting.length, records]).toEqual([0, []])
  await all.stop(0)
})

test("a port that is being bound when everything stops is closed as well", async () => {
  const { all, waiting, open } = portsByHand({ submission: 0 })
  const started = all.start()
  await until(() => waiting.length === 1)
  const stopped = all.stop(0)
  open()
  const { submission } = await started
  await stopped
  expect(submission).toBeGreaterThan(0)
  expect(await isListening(submission)).toBe(false)
})

test("an address that is not of this machine is named with advice", async () => {
  const { all, waiting, open } = portsByHand({ submission: 0 }, "203.0.113.9")
  const started = all.start()
  await until(() => waiting.length === 1)
  open()
  await expect(started).rejects.toThrow(
    "Cannot listen for SMTP on 203.0.113.9:0: this machine has no such address. Name one of its own in smtp.host.",
  )
  await all.stop(0)
})

test("a port below 1024 is explained, whichever protocol wants it", () => {
  const cause = Object.assign(new Error("permission denied"), { code: "EACCES" })
  const settings = { host: "smtp.host", port: "smtp.inbound_port" }
  const wanted = { protocol: "SMTP", host: "0.0.0.0", port: 25, settings } as const
  expect(cannotListen(wanted, cause)).toMatchObject({
    code: "PORT_IN_USE",
    message:
      "Cannot listen for SMTP on 0.0.0.0:25: permission denied. Ports below 1024 are for root and for the capability CAP_NET_BIND_SERVICE.",
  })
})
