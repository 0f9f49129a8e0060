import { X509Certificate } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import net from "node:net"
import { join } from "node:path"
import tls from "node:tls"
import { type App, createApp } from "../../src/app.ts"
import { loadConfig, type Settings } from "../../src/config.ts"
import { type Clock, second } from "../../src/kernel/clock.ts"
import { createLog } from "../../src/kernel/log.ts"
import type { Listening } from "../../src/listeners.ts"
import { testCertificate } from "./certificate.ts"
import { newDataFolder } from "./data-folder.ts"
import { sharedByApps } from "./shared-by-apps.ts"

/**
 * The real time, moved on by `jump`: an authority and its certificates live in it. The pauses between looks at an order are
 * a hundredth as long; longer ones end when a jump passes their end.
 */
interface JumpingClock extends Clock {
  jump(ms: number): void
}

export function createJumpingClock(): JumpingClock {
  let offset = 0
  const sleepers = new Set<{ at: number; wake: () => void }>()
  const now = () => Date.now() + offset
  return {
    now,
    sleep: (ms, abort) =>
      new Promise((resolve) => {
        if (abort.aborted) return resolve()
        const timer = ms <= 10 * second ? setTimeout(() => sleeper.wake(), ms / 100) : undefined
        const sleeper = {
          at: now() + ms,
          wake() {
            clearTimeout(timer)
            sleepers.delete(sleeper)
            abort.removeEventListener("abort", sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        abort.addEventListener("abort", sleeper.wake, { once: true })
      }),
    jump(ms) {
      offset += ms
      for (const sleeper of sleepers) if (sleeper.at <= now()) sleeper.wake()
    },
  }
}

export interface AcmeApp {
  readonly app: App
  readonly clock: JumpingClock
  readonly folder: string
  readonly listening: Listening & { readonly publicPorts: { readonly tls: number; readonly plain: number } }
  /**
   * Resolves with the fields of the next record of the log with this text that was not asked for before. Rejects when an
   * attempt fails while a certificate is waited for.
   */
  logged(text: string): Promise<Record<string, unknown>>
  /** The certificate that https has now; rejects when nobody listens. */
  certificate(): Promise<X509Certificate>
  /** A request by https, whatever the certificate. */
  get(path: string): Promise<Response>
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface AcmeAppOptions {
  readonly directory: string
  readonly folder?: string
  readonly clock?: JumpingClock
  readonly settings?: Settings
  /** The port that the authority asks; a free one when absent. */
  readonly plainPort?: number
}

/** The texts of the log about certificates. */
export const obtained = "There is a new certificate"
export const askedWhenToRenew = "The authority was asked when to renew"
export const notObtained = "No certificate could be obtained"

/** A server for mail.example.com and www.example.com at 127.0.0.1, with an authority that is trusted by `testCertificate`. */
export async function startAcmeApp({ directory, settings, plainPort = 0, ...given }: AcmeAppOptions): Promise<AcmeApp> {
  const folder = given.folder ?? newDataFolder("serve")
  const clock = given.clock ?? createJumpingClock()
  const ca = join(folder, "authority.pem")
  writeFileSync(ca, testCertificate.cert)
  const records: { text: string; fields: Record<string, unknown> }[] = []
  const waiting: { text: string; resolve(fields: Record<string, unknown>): void; reject(reason: Error): void }[] = []
  const { config } = loadConfig({
    options: {
      data: folder,
      "http.port": "0",
      "http.domains": "mail.example.com www.example.com",
      "http.tls_host": "127.0.0.1",
      "http.tls_port": "0",
      "http.plain_port": String(plainPort),
      "http.acme_directory": directory,
      "http.acme_ca": ca,
      ...settings,
    },
  })
  const app = await createApp(config, {
    clock,
    random: () => 0.5,
    ...sharedByApps,
    log: createLog((_level, text, fields) => {
      const at = waiting.findIndex((each) => each.text === text)
      // Nobody lets the time pass until the next attempt.
      const inVain = text === notObtained ? waiting.findIndex((each) => each.text === obtained) : -1
      if (inVain >= 0) waiting.splice(inVain, 1)[0]?.reject(new Error(`${text}: ${fields.reason}`))
      else if (at < 0) records.push({ text, fields })
      // In the next turn of the event loop the server has gone to rest.
      else setImmediate(waiting.splice(at, 1)[0]?.resolve ?? (() => {}), fields)
    }, "debug"),
  })
  const listening = await app.start()
  const { publicPorts } = listening
  if (publicPorts === undefined) throw new Error("There are no public ports")
  const stop = () => app.stop()
  return {
    app,
    clock,
    folder,
    listening: { ...listening, publicPorts },
    logged(text) {
      const at = records.findIndex((each) => each.text === text)
      const known = at < 0 ? undefined : records.splice(at, 1)[0]
      return known
        ? Promise.resolve(known.fields)
        : new Promise((resolve, reject) => waiting.push({ text, resolve, reject }))
    },
    certificate: () => certificateAt(publicPorts.tls),
    get: (path) => fetch(`https://127.0.0.1:${publicPorts.tls}${path}`, { tls: { rejectUnauthorized: false } }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The certificate that a client is shown at a port of 127.0.0.1. */
export function certificateAt(port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: "127.0.0.1", port, rejectUnauthorized: false, servername: "mail.example.com" })
    socket.on("error", reject)
    socket.on("secureConnect", () => {
      resolve(new X509Certificate(socket.getPeerCertificate(true).raw))
      socket.destroy()
    })
  })
}

/** A port of 127.0.0.1 that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}
