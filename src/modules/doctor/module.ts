import type { Engine } from "../../engine.ts"
import { buildInfo } from "../../kernel/build-info.ts"
import { second } from "../../kernel/clock.ts"
import { releaseTrust } from "../../kernel/release.ts"
import type { Module } from "../../module.ts"
import type { Dns } from "../../net/dns.ts"
import type { NtpServer } from "../../net/ntp.ts"
import { type Machine, machineOf } from "../../store/machine.ts"
import type { Backups } from "../backups/index.ts"
import type { Domains } from "../domains/index.ts"
import { type Check, type Finding, runChecks } from "./check.ts"
import { databaseChecks } from "./checks/database.ts"
import { machineChecks } from "./checks/machine.ts"
import { type CheckedTransport, domainCheck, pauseChecks, transportChecks } from "./checks/mail.ts"
import { type NetworkDeps, networkChecks } from "./checks/network.ts"
import { type RunningRelease, releaseCheck } from "./checks/release.ts"
import { timeCheck } from "./checks/time.ts"
import { tlsChecks } from "./checks/tls.ts"
import { doctorRoutes } from "./routes.ts"

/** What is looked at also where there is no database. */
export interface ExaminedParts extends Pick<Engine, "config" | "realClock"> {
  readonly dns: Dns
  readonly baseUrl: () => string
  readonly transports: readonly CheckedTransport[]
  /** Replacements in tests. */
  readonly ntp?: NtpServer | undefined
  readonly port25?: NetworkDeps["port25"]
  readonly machine?: Machine | undefined
  readonly release?: RunningRelease | undefined
}

interface DoctorDeps extends Omit<ExaminedParts, "config" | "realClock"> {
  readonly domains: Pick<Domains, "inspect">
  readonly backups: Pick<Backups, "list" | "folderFault">
}

const limitMs = 5 * second

/** Checks of everything around the database, and `more`, all at once. */
export function examine(around: ExaminedParts, more: readonly Check[]): Promise<Finding[]> {
  const { config, realClock: clock, transports, ntp, port25, machine = machineOf(config.data) } = around
  const { release = { version: buildInfo.version, trust: releaseTrust } } = around
  const isRunning = () => machine.server() !== undefined
  const checks = [
    ...machineChecks(config, machine),
    releaseCheck(config.update.url, release),
    timeCheck({ ...around, clock, ntp }),
    ...networkChecks({ ...around, isRunning, port25 }),
    ...tlsChecks({ ...around, clock }),
    ...transportChecks(transports),
    ...pauseChecks(config),
    ...more,
  ]
  return runChecks(checks, clock, limitMs)
}

/** Whether the instance can do its work: `mailstead doctor`, and a page for the owner (contract A8.1, B8.3.23). */
export function createDoctor(
  { store, config, realClock }: Pick<Engine, "store" | "config" | "realClock">,
  { domains, backups, ...around }: DoctorDeps,
) {
  let running: Promise<Finding[]> | undefined
  /** Concurrent requests get the same report. */
  function report(): Promise<Finding[]> {
    const isScheduled = config.backup.schedule !== null
    const more = [...databaseChecks({ store, clock: realClock, backups, isScheduled }), domainCheck(domains.inspect)]
    running ??= examine({ ...around, config, realClock }, more).finally(() => {
      running = undefined
    })
    return running
  }
  const actions = { report }
  return { name: "doctor", actions, routes: (protect) => doctorRoutes(actions, protect) } satisfies Module
}
