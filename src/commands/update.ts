import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { buildInfo } from "../kernel/build-info.ts"
import { systemClock } from "../kernel/clock.ts"
import { type ReleaseTrust, releaseTrust } from "../kernel/release.ts"
import { answer } from "./answer.ts"
import { type Args, defineCommand, type Io, UsageError } from "./args.ts"
import { withEnvironmentFile } from "./environment.ts"
import { healthOf } from "./health.ts"
import { type Places, placesOf } from "./service/places.ts"
import { findService, runProgram, type Service } from "./service/service.ts"
import { configOf } from "./settings.ts"
import { createUpdater, type Outcome } from "./update/updater.ts"

/** The environment of an update, replaceable in tests. */
export interface UpdateEnvironment {
  readonly trust: ReleaseTrust
  readonly version: string
  readonly executable: string
  /** Where the installed server has its configuration and data. */
  readonly places: Pick<Places, "config" | "data">
  findService(executable: string): Promise<Service | undefined>
}

function thisMachine(io: Io): UpdateEnvironment {
  // The end of the terminal's connection must not cut an update off.
  process.removeAllListeners("SIGHUP")
  process.on("SIGHUP", () => {})
  const places = placesOf(io.env)
  return {
    trust: releaseTrust,
    version: buildInfo.version,
    // The previous executable can finish an interrupted update too.
    executable: realpathSync(process.execPath).replace(/\.previous$/, ""),
    places,
    findService: (executable) => findService(executable, places.scope),
  }
}

export const updateCommand = (environmentOf: (io: Io) => UpdateEnvironment) =>
  defineCommand({
    name: "update",
    summary: "Replace this executable with the newest release, and roll back if that fails",
    about:
      "The release must be newer and signed with the key that is built in. The systemd service is restarted; if the new " +
      "version cannot migrate the database, or is not healthy within 30 seconds, the old executable and the old database " +
      "are restored. The old executable stays beside the new one as mailstead.previous. To complete an update that was " +
      "interrupted, run this again.",
    options: {
      check: { help: "Only check whether there is a newer release" },
      url: { value: "URL", help: "The signed manifest (update.url)", setting: "update.url" },
    },
    async run(io, args) {
      const environment = environmentOf(io)
      const service = await environment.findService(environment.executable)
      const config = await configOf(...(await ofInstalled(io, args, environment.places, service)))
      const { url } = config.update
      if (service?.data && resolve(service.data) !== resolve(config.data))
        throw new UsageError(`the service runs on ${service.data}, and not on ${config.data}: leave --data out`)
      const updater = createUpdater({
        ...environment,
        service,
        url: url ?? "",
        data: config.data,
        clock: systemClock,
        elapsed: () => performance.now(),
        abort: io.stop,
        healthyVersion: () =>
          healthOf(config.data).then(
            ({ ok, version }) => (ok ? version : undefined),
            () => undefined,
          ),
        versionOf: printedVersion,
        say: (step) => io.stderr(`${step} ...\n`),
      })
      const told = async (outcome: Outcome) => {
        const mayHaveOldUnit = service !== undefined && outcome.kind === "updated"
        return tell(io, args, outcome, mayHaveOldUnit && (await hasOldUnit(environment.executable)))
      }
      if (updater.isUnfinished()) return told(await updater.finish())
      if (url === null) throw new UsageError("update.url is not set, and --url names no manifest either")
      if (!args.options.check) return told(await updater.update())
      const newest = await updater.check()
      const text = newest.isNewer
        ? `${newest.version} is there; this is ${environment.version}. \`mailstead update\` installs it.`
        : `${environment.version} is the newest version.`
      answer(io, args, { version: environment.version, newest: newest.version, isNewer: newest.isNewer }, text)
      return 0
    },
  })

export const update = updateCommand(thisMachine)

type Source = Pick<Args, "config" | "settings">

/**
 * The configuration, environment and data of the installed server, unless others are named: those that its service names, or
 * the usual ones.
 */
async function ofInstalled(
  io: Io,
  args: Args,
  places: UpdateEnvironment["places"],
  service: Service | undefined,
): Promise<[Io, Source]> {
  const usual = service?.config ?? places.config
  const isNamed = args.config !== undefined || io.env.MAILSTEAD_CONFIG || !existsSync(usual)
  const [own, config] = isNamed ? [io, args.config] : [await withEnvironmentFile(io, { config: usual }), usual]
  const named = args.settings.data ?? own.env.MAILSTEAD_DATA
  const data = named ?? service?.data ?? (isNamed ? undefined : places.data)
  return [own, { config, settings: data === undefined ? args.settings : { ...args.settings, data } }]
}

async function printedVersion(executable: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram([executable, "version", "--json"])
  if (code !== 0) throw new Error(stderr.trim().split("\n")[0] || `exit code ${code}`)
  return String(JSON.parse(stdout).version)
}

/** Whether the version that was installed would write the unit of systemd in another way. */
async function hasOldUnit(executable: string): Promise<boolean> {
  try {
    const { stdout } = await runProgram([executable, "service", "status", "--json"])
    const { installed, current } = JSON.parse(stdout)
    return installed === true && current === false
  } catch {
    return false
  }
}

function tell(io: Io, args: Args, outcome: Outcome, isUnitOld: boolean): number {
  const { kind, from, to } = outcome
  if (kind === "reverted") {
    io.stderr(`mailstead: ${to} was not installed, because ${outcome.reason}. ${from} is in place as before.\n`)
    if (args.json) answer(io, args, outcome, "")
    return 1
  }
  if (kind === "current") {
    answer(io, args, outcome, `${from} is the newest version. Nothing was changed.`)
    return 0
  }
  const rest = outcome.isRunning ? "It is running." : "Restart the server to run it."
  const unit = isUnitOld
    ? "\nThe unit of systemd is not the one of this version: `mailstead service install` renews it."
    : ""
  answer(io, args, outcome, `Updated from ${from} to ${to}. ${rest} The old executable is mailstead.previous.${unit}`)
  return 0
}
