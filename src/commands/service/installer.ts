import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname } from "node:path"
import { exampleFile } from "../../config.ts"
import type { Places } from "./places.ts"
import { type Run, systemctl, unitName } from "./service.ts"
import { unitText } from "./unit.ts"

const user = "mailstead"

/** The user of the service; for a personal service, the person who installs it. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

interface InstallerDeps {
  /** Where the files are written. */
  readonly places: Places
  /** Where the unit expects them: the same, unless another root folder is prepared. */
  readonly final: Places
  readonly run: Run
  readonly isSystemdRunning: boolean
  say(step: string): void
}

/**
 * Installs and removes a server: executable, user, folders, configuration and unit. Both can be repeated: anything that
 * is already as it should be is left alone.
 */
export function createInstaller({ places, final, run, isSystemdRunning, say }: InstallerDeps) {
  const { scope } = places
  const isSystem = scope === "system"
  /** Another root folder has users of its own. */
  const isHere = places.executable === final.executable

  async function must(command: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(command).catch((cause) => ({
      code: 1,
      stdout: "",
      stderr: String(cause),
    }))
    if (code === 0) return stdout
    // Missing after su and sudo, which open no session.
    const advice =
      /\bto bus\b/.test(stderr) && !isSystem ? ". Log in as this user, for example by ssh, and run it again" : ""
    throw new Error(`${command.slice(0, 2).join(" ")}: ${stderr.trim().split("\n")[0]}${advice}`)
  }

  /** Replaces the file atomically, because it may be running. Returns whether it was a different one. */
  function putExecutable(source: string): boolean {
    if (source === places.executable || sameBytes(source, places.executable)) return false
    mkdirSync(dirname(places.executable), { recursive: true })
    const draft = `${places.executable}.draft`
    rmSync(draft, { force: true })
    copyFileSync(source, draft)
    chmodSync(draft, 0o755)
    renameSync(draft, places.executable)
    say(`Installed ${places.executable}`)
    return true
  }

  async function findOwner(): Promise<Owner | undefined> {
    if (!isSystem || !isHere) return undefined
    const { code, stdout } = await run(["getent", "passwd", user])
    const [, , uid, gid] = stdout.split(":")
    return code === 0 && uid !== undefined && gid !== undefined ? { uid: Number(uid), gid: Number(gid) } : undefined
  }

  async function ensureOwner(): Promise<Owner | undefined> {
    const found = await findOwner()
    if (found !== undefined || !isSystem || !isHere) return found
    const home = ["--home-dir", final.data, "--shell", "/usr/sbin/nologin"]
    await must(["useradd", "--system", "--user-group", ...home, user])
    say(`Made the user ${user}`)
    const made = await findOwner()
    if (made === undefined) throw new Error(`The user ${user} was made, but getent does not find it.`)
    return made
  }

  function ensureFolder(path: string, mode: number, owner?: Partial<Owner>): void {
    if (existsSync(path)) return
    mkdirSync(path, { recursive: true })
    chmodSync(path, mode)
    give(path, owner)
    say(`Made ${path}`)
  }

  /** Files that are not given to the user stay owned by root. */
  function give(path: string, owner: Partial<Owner> | undefined): void {
    if (owner !== undefined) chownSync(path, owner.uid ?? 0, owner.gid ?? 0)
  }

  function ensureConfig(owner: Owner | undefined, updateUrl: string | undefined): void {
    const group = owner && { gid: owner.gid }
    ensureFolder(dirname(places.config), 0o750, group)
    if (existsSync(places.config)) return
    writeFileSync(places.config, configText(updateUrl), { flag: "wx", mode: 0o640 })
    give(places.config, group)
    // Root's umask may deny the user of the service what it has to read.
    chmodSync(places.config, 0o640)
    say(`Wrote ${places.config}`)
  }

  function putUnit(): boolean {
    const text = unitText(final)
    if (existsSync(places.unit) && readFileSync(places.unit, "utf8") === text) return false
    mkdirSync(dirname(places.unit), { recursive: true })
    writeFileSync(places.unit, text)
    chmodSync(places.unit, 0o644)
    say(`Wrote ${places.unit}`)
    return true
  }

  /** As systemd names it: `active`, `activating`, `inactive`, `failed`. */
  const activity = async (): Promise<string> =>
    isSystemdRunning ? (await run(systemctl(scope, "is-active", unitName))).stdout.trim() : ""

  return {
    findOwner,

    /** Resolves to the owner of the data folder, and whether the server was started. */
    async install(source: string, updateUrl?: string): Promise<{ owner: Owner | undefined; isStarted: boolean }> {
      const isNewProgram = putExecutable(source)
      const owner = await ensureOwner()
      ensureConfig(owner, updateUrl)
      ensureFolder(places.data, 0o700, owner)
      const isNewUnit = putUnit()
      if (!isSystemdRunning) return { owner, isStarted: false }
      if (isNewUnit) await must(systemctl(scope, "daemon-reload"))
      await must(systemctl(scope, "enable", unitName))
      const isChanged = isNewUnit || isNewProgram
      if (isChanged || (await activity()) !== "active") {
        say("Starting the server")
        // A start waits for one that is under way, whose migration a restart would end.
        await must(systemctl(scope, isChanged ? "restart" : "start", unitName))
      }
      // Otherwise personal services end when the person logs out.
      if (!isSystem) await run(["loginctl", "enable-linger"])
      return { owner, isStarted: true }
    },

    /**
     * Stops the server and removes its unit. Data, configuration, user and executable stay. Resolves to false when
     * there is none.
     */
    async uninstall(): Promise<boolean> {
      if (!existsSync(places.unit)) return false
      if (isSystemdRunning) await must(systemctl(scope, "disable", "--now", unitName))
      rmSync(places.unit)
      say(`Removed ${places.unit}`)
      if (isSystemdRunning) await must(systemctl(scope, "daemon-reload"))
      return true
    },

    async status() {
      const isInstalled = existsSync(places.unit)
      const found = await activity()
      return {
        installed: isInstalled,
        /** Whether the unit is the one of this version. */
        current: isInstalled && readFileSync(places.unit, "utf8") === unitText(final),
        active: found === "active",
        /** Also for as long as the database is migrated before the server starts, and between two attempts. */
        starting: found === "activating",
      }
    },
  }
}

/** The example file, with the address of updates when that is known. */
const configText = (updateUrl: string | undefined): string =>
  updateUrl === undefined
    ? exampleFile()
    : exampleFile().replace(/(?<=\[update\]\n(?:#.*\n)*?)# Example:\n#url = .*/, `url = ${JSON.stringify(updateUrl)}`)

function sameBytes(one: string, other: string): boolean {
  if (!existsSync(other)) return false
  return statSync(one).size === statSync(other).size && readFileSync(one).equals(readFileSync(other))
}
