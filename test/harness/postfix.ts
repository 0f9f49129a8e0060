import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import net from "node:net"
import { join } from "node:path"

/** A Postfix of its own folder that relays what it is given, to the servers that it is told (package postfix). */
export interface Postfix {
  /** What it has logged. */
  readonly log: () => string
  stop(): Promise<void>
}

const services = `
postlog   unix-dgram n - n - 1 postlogd
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
smtp      unix - - n - - smtp
error     unix - - n - - error
retry     unix - - n - - error
discard   unix - - n - - discard
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
`

/**
 * @param port where it listens, see `freePort`
 * @param routes the port of 127.0.0.1 that takes the mail of a domain
 */
export async function startPostfix(port: number, routes: Readonly<Record<string, number>>): Promise<Postfix> {
  // Not in the folder of the tests: Postfix changes to a user of its own, who may not enter that one.
  const folder = mkdtempSync("/tmp/mailstead-postfix-")
  chmodSync(folder, 0o755)
  for (const name of ["etc", "spool", "data"]) mkdirSync(join(folder, name))
  const etc = join(folder, "etc")
  const transport = Object.entries(routes).map(([domain, to]) => `${domain} smtp:[127.0.0.1]:${to}`)
  writeFileSync(join(etc, "transport"), `${transport.join("\n")}\n`)
  writeFileSync(join(etc, "master.cf"), `127.0.0.1:${port} inet n - n - - smtpd${services}`)
  writeFileSync(
    join(etc, "main.cf"),
    `compatibility_level = 3.6
queue_directory = ${folder}/spool
data_directory = ${folder}/data
maillog_file = /dev/stdout
myhostname = relay.example.com
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtp_tls_security_level = none
smtpd_tls_security_level = none
smtp_host_lookup = native
alias_maps =
local_recipient_maps =
default_transport = error:5.1.2 unknown domain
transport_maps = texthash:${etc}/transport
`,
  )
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"]
  await Bun.$`${asRoot} chown postfix ${folder}/data`.quiet()
  // Postfix opens what it is to log to, and a pipe of Bun cannot be opened.
  const logFile = join(folder, "log")
  const child = Bun.spawn([...asRoot, "postfix", "-c", etc, "start-fg"], {
    stdin: "ignore",
    stdout: Bun.file(logFile),
    stderr: Bun.file(logFile),
  })
  const log = () => readFileSync(logFile, "utf8")
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`Postfix has ended: ${log()}`)
    await Bun.sleep(5)
  }
  return {
    log,
    async stop() {
      await Bun.$`${asRoot} postfix -c ${etc} stop`.quiet().nothrow()
      await child.exited
      await Bun.$`${asRoot} rm -rf ${folder}`.quiet()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1")
    socket.once("data", () => resolve(true)).once("error", () => resolve(false))
    socket.once("close", () => resolve(false)).once("data", () => socket.destroy())
  })
