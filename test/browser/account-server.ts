import { rmSync } from "node:fs"
import { createApp } from "../../src/app.ts"
import { loadConfig, type Settings } from "../../src/config.ts"
import { createLog } from "../../src/kernel/log.ts"
import { rejected, sent } from "../../src/mail/transport.ts"
import { createRecord } from "../../src/mail/transports/record.ts"
import type { Machine } from "../../src/store/machine.ts"
import { cheapHash } from "../harness/cheap-hash.ts"
import { dashboard } from "../harness/dashboard.ts"
import { newDataFolder } from "../harness/data-folder.ts"
import { recordingTransport } from "../harness/recording-transport.ts"
import { sharedByApps } from "../harness/shared-by-apps.ts"
import type { Address } from "./address.ts"

const machineWith = (free: number): Machine => ({
  folder: () => undefined,
  freeBytes: () => free,
  freeFiles: () => undefined,
  server: () => undefined,
  openFilesLimit: () => undefined,
})

export const password = "correct horse battery"

export interface Account {
  readonly email: string
  /** Calls the API with the session of this account. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  createProject(name: string): Promise<{ id: string; secret: string }>
}

/** A server with accounts, unlike the sandbox. */
export interface AccountServer {
  readonly url: string
  readonly app: Awaited<ReturnType<typeof createApp>>
  /** Where other servers deliver mail, if the settings have such a port. */
  readonly inboundPort: number | null
  /** Creates an account without a browser; the first one is the owner of the instance. */
  signUp(email: string): Promise<Account>
  /** The latest link to this page, for example `reset`: in the mail or, where none is sent, in the log. */
  link(page: string): Promise<string>
  stop(): Promise<void>
}

interface ServerOptions {
  readonly address: Address
  readonly settings: Settings
  /** What its disk has left; that of this machine when left out. */
  readonly freeBytes?: number | undefined
}

export async function startServer(options: ServerOptions): Promise<AccountServer> {
  const { url } = options.address
  const folder = newDataFolder("serve")
  const { config } = loadConfig({
    mode: "serve",
    options: {
      data: folder,
      "http.port": "0",
      "http.base_url": url,
      "limits.requests_per_minute": "0",
      ...options.settings,
    },
  })
  const logged: string[] = []
  const log = createLog((_level, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`), "warn")
  const transport = recordingTransport()
  transport.answer = ({ id, to }) =>
    to.address.startsWith("rejected@") ? rejected("550 5.1.1 No such mailbox") : sent(`provider-${id}`)
  const record = createRecord({ now: Date.now })
  const kept = record.kept(transport)
  const member = { name: "smtp://relay.acme.test:587", lanes: ["transactional", "bulk"], record } as const
  const transports = { transactional: kept, bulk: kept, members: [member], close: async () => {} }
  const nobody = { ntp: { address: "127.0.0.1", port: 9 }, port25: { host: "127.0.0.1", port: 9 } }
  const app = await createApp(config, {
    examined: { ...nobody, ...(options.freeBytes !== undefined && { machine: machineWith(options.freeBytes) }) },
    dashboard,
    ...sharedByApps,
    log,
    transports,
    freeSmtpPorts: true,
    passwordCost: cheapHash,
  })
  const { inbound: inboundPort } = (await app.start()).smtp
  const takeBack = options.address.lendTo(app.fetch)

  async function signUp(email: string): Promise<Account> {
    const headers: Record<string, string> = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" }
    const request = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return answer
    }
    const entered = await request("POST", "/auth/signup", { email, password })
    headers.Cookie = entered.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ")
    const call = async (method: string, path: string, body?: unknown) => {
      const text = await (await request(method, path, body)).text()
      return text === "" ? null : JSON.parse(text)
    }
    return { email, call, createProject: (name) => call("POST", "/users/@me/projects", { name }) }
  }

  return {
    url,
    app,
    inboundPort,
    signUp,
    async link(page) {
      await app.settle()
      const mails = transport.handed.map(({ text }) => text ?? "")
      const found = [...logged, ...mails].findLast((line) => line.includes(`/app/${page}?token=`))
      const link = /https?:[^"\s]*\/app\/\w+\?token=[\w.~%-]+/.exec(found ?? "")?.[0]
      if (link === undefined) throw new Error(`There is no link to ${page}.`)
      return link
    },
    async stop() {
      await takeBack()
      await app.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
