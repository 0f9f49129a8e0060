import { existsSync, readFileSync, realpathSync } from "node:fs"
import { loadConfig } from "../config.ts"
import { systemClock } from "../kernel/clock.ts"
import { releaseTrust } from "../kernel/release.ts"
import { hasData } from "../store/database-file.ts"
import { answer } from "./answer.ts"
import { type Args, defineCommand, type Io, UsageError } from "./args.ts"
import { healthOf } from "./health.ts"
import { readAssignments } from "./service/assignments.ts"
import { createInstaller, type Owner } from "./service/installer.ts"
import { below, type Places, placesOf } from "./service/places.ts"
import { isSystemdRunning, logCommand, runProgram } from "./service/service.ts"

const rootOption = (help: string) => ({ root: { value: "DIR", help } }) as const
const rootOfInstalled = rootOption("The folder of `service install --root`")

type ServiceArgs = Pick<Args<ReturnType<typeof rootOption>>, "options" | "config" | "settings">

/** @throws {UsageError} for other places than those that the unit, its user and updates know */
function installerFor(io: Io, { options: { root }, config, settings }: ServiceArgs) {
  const final = placesOf(io.env)
  if (config !== undefined || settings.data !== undefined)
    throw new UsageError(
      `a service has its data in ${final.data} and reads ${final.config}: leave out --data and --config`,
    )
  const places = root === undefined ? final : below(root, final)
  const isRunning = root === undefined && isSystemdRunning()
  const say = (step: string) => io.stderr(`${step}\n`)
  return { places, isRunning, ...createInstaller({ places, final, run: runProgram, isSystemdRunning: isRunning, say }) }
}

/** Whether a service of the machine is installed, which only root manages. */
const isForMachine = (io: Io, root: string | undefined): boolean =>
  root === undefined && existsSync(placesOf(io.env, true).unit)

/** A sentence on other ways to run a server. */
function requireLinux(): void {
  if (process.platform === "linux") return
  throw new Error(
    `Services are those of systemd, on Linux; on ${process.platform} let your own supervisor run \`mailstead serve\`.`,
  )
}

export const serviceInstall = defineCommand({
  name: "service install",
  summary: "Install this executable as a systemd service, and start it",
  about:
    "As root for the machine, with a user of its own, in /usr/local/bin, /etc/mailstead and /var/lib/mailstead; otherwise " +
    "for you, below your home. It keeps what exists, so it can be run again. It ends with the link for creating the first account.",
  options: {
    ...rootOption("Install below this folder, for the image of another machine; start nothing"),
    "update-url": {
      value: "URL",
      help: "The update.url of a new configuration file",
      setting: "update.url",
    },
  },
  async run(io, args) {
    requireLinux()
    const installer = installerFor(io, args)
    // Before it is written into a file that the server would then refuse.
    loadConfig({ options: args.settings })
    if (releaseTrust.platform === null)
      throw new Error("This program runs from its sources: build the executable first.")
    const { places, isRunning } = installer
    const source = realpathSync(process.execPath)
    const { owner, isStarted } = await installer.install(source, args.options["update-url"])
    if (args.options.root !== undefined)
      return told(io, args, { started: false, url: null }, installedBelow(args.options.root, places.scope))
    if (!isStarted)
      io.stderr(`systemd does not run here. Start the server with:\n\n  ${commandLine(places, "serve")}\n\n`)
    else await waitUntilHealthy(places)
    const isNew = !hasData(places.data)
    const url = isNew ? undefined : await setupLink(places, owner)
    const other = isNew
      ? "It prints the link to make the first account when it starts."
      : "There is an account already."
    const rest = url === undefined ? other : `Make the first account within 60 minutes:\n\n  ${url}\n`
    return told(
      io,
      args,
      { started: isRunning, url: url ?? null },
      `Mailstead is ${isStarted ? "running" : "installed"}. ${rest}`,
    )
  },
})

export const serviceUninstall = defineCommand({
  name: "service uninstall",
  summary: "Stop the service and remove its unit; data, configuration and executable stay",
  options: rootOfInstalled,
  async run(io, args) {
    requireLinux()
    const { uninstall, places } = installerFor(io, args)
    if (!(await uninstall()))
      throw new Error(
        `No service is installed: there is no ${places.unit}.${isForMachine(io, args.options.root) ? " That of the machine: sudo mailstead service uninstall" : ""}`,
      )
    return told(io, args, { data: places.data, config: places.config }, `The data stays in ${places.data}.`)
  },
})

export const serviceStatus = defineCommand({
  name: "service status",
  summary: "Show whether the service is installed, running and healthy",
  about: "Exit code 0 when the server is well, 1 otherwise.",
  options: rootOfInstalled,
  async run(io, args) {
    requireLinux()
    const { status, places, isRunning } = installerFor(io, args)
    const { installed, current, active, starting } = await status()
    const health = await healthOf(places.data).catch(() => undefined)
    const shown = { installed, current, active, health: health?.status ?? null, version: health?.version ?? null }
    const text = [
      installed
        ? `Installed: ${places.unit}${current ? "" : " (not as this version would write it)"}`
        : isForMachine(io, args.options.root)
          ? "Not installed for you, but for the machine: sudo mailstead service status"
          : "Not installed.",
      ...(isRunning
        ? [`Service: ${active ? "active" : starting ? `starting; its log: ${logCommand(places.scope)}` : "not active"}`]
        : ["systemd does not run here."]),
      health === undefined ? "Server: no answer" : `Server: ${health.status} (${health.version})`,
    ]
    answer(io, args, shown, text.join("\n"))
    return health?.ok ? 0 : 1
  },
})

function told(io: Io, args: Pick<Args, "json">, value: unknown, text: string): number {
  answer(io, args, value, text)
  return 0
}

/** At most 30 seconds; the log tells why a server needs longer. */
async function waitUntilHealthy({ data, scope }: Places): Promise<void> {
  // Whatever the clock is set to meanwhile.
  const end = performance.now() + 30_000
  while (!(await healthOf(data).catch(() => undefined))?.ok) {
    if (performance.now() > end) throw new Error(`The server does not answer. Its log: ${logCommand(scope)}`)
    await systemClock.sleep(250, new AbortController().signal)
  }
}

/** Steps left to the machine of the image, which creates the user (its id is not known here) and runs systemd. */
const installedBelow = (root: string, scope: Places["scope"]): string =>
  scope === "system"
    ? `Installed below ${root}. The service needs its user, to be made there once, with the group of its settings:

  useradd --system --user-group --home-dir /var/lib/mailstead --shell /usr/sbin/nologin mailstead
  chgrp -R mailstead /etc/mailstead && chown -R mailstead: /var/lib/mailstead
  systemctl enable mailstead`
    : `Installed below ${root}. To have it started there, run once as its user:

  systemctl --user enable mailstead && loginctl enable-linger`

const words = ({ executable, config, data }: Places, command: string): string[] => [
  executable,
  command,
  ...(existsSync(config) ? ["--config", config] : []),
  "--data",
  data,
]

const commandLine = (places: Places, command: string): string =>
  [...(places.scope === "system" ? ["sudo -u mailstead"] : []), ...words(places, command).map(forShell)].join(" ")

/** A word of a command line, quoted if a shell would interpret it. */
const forShell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** The variables that the service has too. */
const variablesIn = (path: string): Record<string, string> =>
  existsSync(path) ? readAssignments(readFileSync(path, "utf8")) : {}

/** The link, made by the user who owns the database; undefined when there is an account. */
async function setupLink(places: Places, owner: Owner | undefined): Promise<string | undefined> {
  const child = Bun.spawn([...words(places, "setup-link"), "--json"], {
    cwd: "/",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, ...variablesIn(places.environment) },
    ...owner,
  })
  const printed = await new Response(child.stdout).text()
  if ((await child.exited) === 0) return JSON.parse(printed).url
  const problem = await new Response(child.stderr).text()
  if (problem.includes("There is an account already")) return undefined
  throw new Error(`The set-up link could not be made: ${problem.trim()}`)
}
