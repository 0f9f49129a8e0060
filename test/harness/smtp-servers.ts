import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import net from "node:net"
import { join } from "node:path"
import { freePort, startPostfix } from "./postfix.ts"
import { startSink } from "./smtp-sink.ts"

/** A mail server of somebody else, on 127.0.0.1. */
export interface ForeignServer {
  readonly name: string
  readonly port: number
  /** The messages that it has passed on; undefined for one that discards them. */
  readonly passedOn?: () => readonly Buffer[]
  stop(): Promise<void>
}

/** Those that are installed. Only one of Postfix and Exim can be a package of a Debian system, so the other is optional. */
export async function startForeignServers(): Promise<{ servers: ForeignServer[]; missing: string[] }> {
  const starts = { Postfix: postfix, "smtp-sink": smtpSink, Exim: exim }
  const servers: ForeignServer[] = []
  const missing: string[] = []
  for (const [name, start] of Object.entries(starts)) {
    const server = await start()
    if (server) servers.push(server)
    else missing.push(name)
  }
  return { servers, missing }
}

const find = (program: string): string | null =>
  Bun.which(program, { PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin` })
const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"]

async function postfix(): Promise<ForeignServer | undefined> {
  if (find("postfix") === null) return undefined
  const remote = await startSink()
  const port = await freePort()
  const server = await startPostfix(port, { "example.com": remote.port })
  return {
    name: "Postfix",
    port,
    passedOn: () => remote.messages.map(({ raw }) => raw),
    async stop() {
      await server.stop()
      await remote.stop()
    },
  }
}

async function smtpSink(): Promise<ForeignServer | undefined> {
  const program = find("smtp-sink")
  if (program === null) return undefined
  const port = await freePort()
  // It refuses to run as root.
  const user = asRoot.length === 0 ? ["-u", "nobody"] : []
  const child = Bun.spawn([program, ...user, `127.0.0.1:${port}`, "16"], { stdout: "ignore", stderr: "ignore" })
  await untilListening(port, child)
  return { name: "smtp-sink", port, stop: () => ended(child) }
}

/** Exim as a daemon with a configuration and a spool of its own, which throws every message away. */
async function exim(): Promise<ForeignServer | undefined> {
  const program = find("exim4") ?? find("exim")
  if (program === null) return undefined
  // Not in the folder of the tests: Exim changes to a user of its own, who may not enter that one.
  const folder = mkdtempSync("/tmp/mailstead-exim-")
  chmodSync(folder, 0o755)
  for (const name of ["spool", "log"]) mkdirSync(join(folder, name))
  const port = await freePort()
  writeFileSync(
    join(folder, "conf"),
    `local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
pid_file_path = ${folder}/spool/pid
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
primary_hostname = exim.test
chunking_advertise_hosts = *
host_lookup =
keep_environment =
queue_only = true
acl_smtp_rcpt = accept
acl_smtp_data = accept
begin acl
begin routers
nowhere:
  driver = redirect
  data = :blackhole:
begin transports
`,
  )
  await Bun.$`${asRoot} chown -R Debian-exim ${folder}/spool ${folder}/log`.quiet()
  await Bun.$`${asRoot} chown root ${folder}/conf`.quiet()
  const child = Bun.spawn([...asRoot, program, "-C", join(folder, "conf"), "-bdf"], {
    stdout: "ignore",
    stderr: "ignore",
  })
  await untilListening(port, child)
  return {
    name: "Exim",
    port,
    async stop() {
      await ended(child)
      await Bun.$`${asRoot} rm -rf ${folder}`.quiet()
    },
  }
}

async function ended(child: Bun.Subprocess): Promise<void> {
  child.kill()
  await child.exited
}

async function untilListening(port: number, child: Bun.Subprocess): Promise<void> {
  const listens = () =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(port, "127.0.0.1", () => {
        resolve(true)
        socket.destroy()
      })
      socket.on("error", () => resolve(false))
    })
  while (!(await listens())) {
    if (child.exitCode !== null) throw new Error("A mail server has ended before it listened.")
    await Bun.sleep(5)
  }
}
