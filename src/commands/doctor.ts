import { openTransports, withModules } from "../app.ts"
import { type Config, ConfigError, publicUrl } from "../config.ts"
import { second, systemClock } from "../kernel/clock.ts"
import { reasonOf } from "../kernel/log.ts"
import { type Check, examine, type Finding, fail } from "../modules/doctor/index.ts"
import { createDns } from "../net/dns.ts"
import { machineOf } from "../store/machine.ts"
import { answer } from "./answer.ts"
import { defineCommand, type Io } from "./args.ts"
import { becomeOwnerOf } from "./owner.ts"
import { configOf } from "./settings.ts"

export const doctor = defineCommand({
  name: "doctor",
  summary: "Check the machine, the network, the transports and the domains",
  about:
    "Changes nothing and sends nothing; also beside a running server, and before there is a data folder. Root may run it: " +
    "it goes on as the owner of the data folder once it has read the configuration.",
  options: {},
  async run(io, args) {
    const config = await configOf(io, args)
    becomeOwnerOf(config.data)
    const checks = await withPrintsAside(() => diagnose(config, io))
    const width = Math.max(...checks.map(({ name }) => name.length))
    const lines = checks.map(({ name, status, message }) => `${status.padEnd(4)}  ${name.padEnd(width)}  ${message}`)
    answer(io, args, { checks }, lines.join("\n"))
    return checks.some(({ status }) => status === "fail") ? 1 : 0
  },
})

/** With the checks of the database where there is one that this version can read. */
async function diagnose(config: Config, { env }: Pick<Io, "env">): Promise<Finding[]> {
  const faults: Check[] = []
  const broken = (name: string, cause: unknown) => {
    const reason =
      cause instanceof ConfigError
        ? cause.faults.map((one) => `${one.path}: ${one.message}`).join("; ")
        : reasonOf(cause)
    faults.push({ name, run: () => fail(reason) })
    return undefined
  }
  const transports = await openTransports(config, (name) => env[name]).catch((cause) => broken("transports", cause))
  const members = transports?.members ?? []
  try {
    const folder = machineOf(config.data).folder()
    if (folder?.hasDatabase && folder.isOwn && faults.length === 0)
      try {
        return await withModules(config, ({ doctor }) => doctor.report(), { access: "inspect", members })
      } catch (cause) {
        broken("database", cause)
      }
    const around = {
      config,
      realClock: systemClock,
      dns: createDns({ servers: config.dns.servers, clock: systemClock, timeoutMs: 5 * second }),
      baseUrl: () => publicUrl(config.http, config.http.port),
      transports: members,
    }
    return await examine(around, faults)
  } finally {
    await transports?.close()
  }
}

/** What of the console is on standard output. */
const printing = ["log", "info", "debug", "dir", "dirxml", "table", "trace", "count", "group", "groupCollapsed"]

/** Output of transport plugins goes to standard error, because standard output has the report, which programs read. */
async function withPrintsAside<T>(work: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process
  const before = [{ ...console }, { write: stdout.write }] as const
  Object.assign(console, Object.fromEntries(printing.map((name) => [name, console.error])))
  Object.assign(stdout, { write: stderr.write.bind(stderr) })
  try {
    return await work()
  } finally {
    Object.assign(console, before[0])
    Object.assign(stdout, before[1])
  }
}
