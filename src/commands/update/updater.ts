import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { type Clock, second, systemClock } from "../../kernel/clock.ts"
import { reasonOf } from "../../kernel/log.ts"
import type { ReleaseTrust } from "../../kernel/release.ts"
import { fetchManifest } from "../../net/release/fetch.ts"
import { type Archive, archiveFor, isNewer, type Manifest, openManifest } from "../../net/release/manifest.ts"
import { migrationCopies, revertMigrations } from "../../store/migration-copies.ts"
import { modeOfFolder } from "../../store/mode.ts"
import { isSendingPaused, pauseSending, resumeSending, sendingPauseOf } from "../../store/sending-pause.ts"
import { asOwnerOf } from "../owner.ts"
import type { Service } from "../service/service.ts"
import { fetchExecutable } from "./download.ts"
import { linkDurably, removeDurably, renameDurably } from "./durable.ts"
import { isUpdating, type Marker, openMarker } from "./marker.ts"
import { swap } from "./swap.ts"

export interface UpdaterDeps {
  /** The executable that is replaced. */
  readonly executable: string
  /** The version of the running program. */
  readonly version: string
  readonly trust: ReleaseTrust
  readonly url: string
  /** The data folder of the server. */
  readonly data: string
  /** The service that runs the server; undefined when something else starts it, which must then restart it. */
  readonly service: Service | undefined
  /** The version of the server that answers `GET /health` with 200 just now. */
  healthyVersion(): Promise<string | undefined>
  /** The version that an executable prints; throws when it cannot be run. */
  versionOf(executable: string): Promise<string>
  readonly clock: Pick<Clock, "sleep">
  /** Monotonic milliseconds: unaffected by changes of the clock. */
  readonly elapsed: () => number
  readonly abort: AbortSignal
  /** Progress, for people. */
  say(step: string): void
}

export type Outcome =
  /** In place and healthy; `isRunning` is false when there was no service to restart the server. */
  | { readonly kind: "updated"; readonly from: string; readonly to: string; readonly isRunning: boolean }
  /** There is nothing newer. */
  | { readonly kind: "current"; readonly from: string; readonly to: string }
  | { readonly kind: "reverted"; readonly from: string; readonly to: string; readonly reason: string }

const healthLimit = 30 * second
const healthPause = 250

/**
 * Replaces the executable by a newer, signed release. From before the replacement until its outcome is known a marker
 * lies beside it; after a crash `finish` brings the update to its end. At every moment an executable is in place that
 * starts: the old or the new one.
 */
export function createUpdater(deps: UpdaterDeps) {
  const { executable, version, trust, url, data, service, clock, say } = deps
  const marker = openMarker(`${executable}.update`)
  const next = `${executable}.next`
  const previous = `${executable}.previous`

  async function newest(): Promise<Manifest> {
    if (trust.platform === null) throw new Error("This program runs from its sources: update those.")
    if (trust.key === null)
      throw new Error(
        "This executable was built without a key for releases, so it cannot verify any: replace the file.",
      )
    return openManifest(await fetchManifest(url, deps.abort), trust.key)
  }

  async function download(archive: Archive, to: string): Promise<void> {
    say(`Downloading ${archive.file}`)
    await fetchExecutable(new URL(archive.file, url).href, archive, next, deps.abort)
    try {
      const printed = await deps.versionOf(next)
      if (printed !== to) throw new Error(`it says that it is ${printed}`)
    } catch (cause) {
      removeDurably(next)
      throw new Error(`The executable of ${to} does not run here (${reasonOf(cause)}). Nothing was changed.`)
    }
  }

  async function replace(from: string, to: string): Promise<Outcome> {
    const isManaged = service !== undefined && (await service.isActive())
    if (!isManaged) {
      prepare(to, () => swap({ executable, next, previous }))
      return { kind: "updated", from, to, isRunning: false }
    }
    // Nothing leaves a sandbox.
    const sends = asOwnerOf(dirIfThere(data), () => modeOfFolder(data) === "serve" && !isSendingPaused(data))
    const pausedAt = sends ? systemClock.now() : undefined
    const mark: Marker = { from, to, state: "trying", pausedAt, copies: copies(), pid: process.pid }
    // The marker first: without it the older executable keeps its place.
    prepare(to, () => {
      marker.write(mark)
      linkDurably(executable, previous)
      hold(mark)
    })
    say(`Replacing ${from} by ${to}`)
    renameDurably(next, executable)
    return attempt(service, mark)
  }

  /** The steps that may fail, for example on a full disk, while the old executable is still in place. */
  function prepare(to: string, work: () => void): void {
    try {
      work()
    } catch (cause) {
      const failure = `${to} cannot take the place of ${executable} (${reasonOf(cause)}). The server was not changed.`
      try {
        // In this order, because a marker without a new executable means that the replacement is done.
        marker.remove()
        removeDurably(next)
      } catch (further) {
        throw new Error(`${failure} Run this again to remove what is left of it (${reasonOf(further)}).`)
      }
      throw new Error(failure)
    }
  }

  /**
   * Pauses sending until the outcome is known: mail that the new version sent would leave again when its database is
   * taken back.
   */
  function hold({ pausedAt }: Marker): void {
    if (pausedAt === undefined || isSendingPaused(data)) return
    asOwnerOf(data, () => {
      try {
        pauseSending(data, { since: pausedAt, takenAt: undefined })
      } catch (cause) {
        // It is there if only its sync failed.
        resumeSending(data)
        throw cause
      }
    })
  }

  /** Ends the pause of this update, but none that was made since. */
  function release({ pausedAt }: Marker): void {
    if (pausedAt === undefined) return
    try {
      asOwnerOf(data, () => {
        const pause = sendingPauseOf(data)
        if (pause?.since === pausedAt && pause.takenAt === undefined) resumeSending(data)
      })
    } catch (cause) {
      say(`Sending stays paused until \`mailstead resume\` (${reasonOf(cause)})`)
    }
  }

  /** The marker last: until it is gone, the next run does all of this again. */
  function conclude(mark: Marker): void {
    release(mark)
    marker.remove()
  }

  const copies = (): string[] => asOwnerOf(dirIfThere(data), () => migrationCopies(data))

  /** Restarts the server with the new version, and rolls back when it does not become healthy. */
  async function attempt(service: Service, mark: Marker): Promise<Outcome> {
    const { from, to } = mark
    say("Restarting the server")
    const failure = await tryTo(() => service.restart())
    const reason = failure ?? (await unhealthy(service, to))
    if (reason !== undefined) return revert(service, mark, reason)
    conclude(mark)
    return { kind: "updated", from, to, isRunning: true }
  }

  async function revert(service: Service, mark: Marker, reason: string): Promise<Outcome> {
    const { from, to } = mark
    try {
      marker.write({ ...mark, state: "reverting", pid: process.pid })
    } catch (cause) {
      // A full disk may be the reason for the rollback. After a crash the new version is then tried once more.
      say(`The state of the update cannot be kept (${reasonOf(cause)})`)
    }
    say(`${to} is taken back: ${reason}`)
    await service.stop()
    const kept = await tryTo(async () => {
      if (asOwnerOf(dirIfThere(data), () => revertMigrations(data, mark.copies)))
        say("The database from before the update is back")
    })
    // Restores the executable all the same: it reports a database that it cannot use, and without it nothing would run.
    if (kept !== undefined) say(`The database cannot be taken back (${kept})`)
    if (existsSync(previous)) renameDurably(previous, executable)
    release(mark)
    say(`Starting ${from}`)
    const failure = await tryTo(() => service.restart())
    if (failure !== undefined || (await unhealthy(service, from)) !== undefined)
      throw new Error(
        `${to} failed (${reason}). ${from} is back in place with its database, but is not healthy either: see its log.`,
      )
    marker.remove()
    return { kind: "reverted", from, to, reason }
  }

  /** Waits until the server is healthy in this version; resolves to the reason why it is not. */
  async function unhealthy(service: Service, wanted: string): Promise<string | undefined> {
    const end = deps.elapsed() + healthLimit
    while (deps.elapsed() < end) {
      if ((await deps.healthyVersion()) === wanted) return undefined
      // systemd starts it again after any failure but one of the configuration.
      if (!(await service.isActive())) return "it ended and is not started again"
      await clock.sleep(healthPause, new AbortController().signal)
    }
    return "it was not healthy within 30 seconds"
  }

  return {
    /** The newest release, and whether it is newer than this version. */
    async check(): Promise<{ readonly version: string; readonly isNewer: boolean }> {
      const manifest = await newest()
      return { version: manifest.version, isNewer: isNewer(manifest.version, version) }
    },

    /** Throws a sentence when nothing was changed. */
    async update(): Promise<Outcome> {
      const manifest = await newest()
      if (manifest.version === version) return { kind: "current", from: version, to: version }
      const archive = archiveFor(manifest, trust.platform ?? "", version)
      await download(archive, manifest.version)
      return replace(version, manifest.version)
    },

    /** Whether an update was interrupted. Throws when one is running. */
    isUnfinished(): boolean {
      const mark = marker.read()
      if (mark !== undefined && isUpdating(mark)) throw new Error(`Process ${mark.pid} is updating just now.`)
      return mark !== undefined
    },

    /** Brings an interrupted update to its end: forward if it had replaced the executable and that gets healthy. */
    async finish(): Promise<Outcome> {
      const mark = marker.read()
      if (mark === undefined) throw new Error("No update was interrupted.")
      const { from, to } = mark
      if (service === undefined) throw new Error("The service that this update was made for is not there any more.")
      if (mark.state === "reverting") return revert(service, mark, "the update was interrupted")
      if ((await deps.healthyVersion()) === to) {
        conclude(mark)
        return { kind: "updated", from, to, isRunning: true }
      }
      if (!existsSync(next)) {
        await tryTo(async () => hold(mark))
        return attempt(service, { ...mark, pid: process.pid })
      }
      removeDurably(next)
      conclude(mark)
      return { kind: "reverted", from, to, reason: "the update was interrupted before it changed anything" }
    },
  }
}

/** A data folder that does not exist yet is looked for with the rights of the owner of its parent. */
const dirIfThere = (folder: string): string => (existsSync(folder) ? folder : dirname(folder))

async function tryTo(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (cause) {
    return reasonOf(cause)
  }
}
