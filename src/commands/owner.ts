import { lchownSync, lstatSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Log } from "../kernel/log.ts"

/**
 * Runs `work` with the rights of the owner of `folder` when this is root: in a folder of another user root would follow
 * that user's symbolic links.
 */
export function asOwnerOf<T>(folder: string, work: () => T): T {
  if (process.geteuid?.() !== 0) return work()
  const { uid, gid } = statSync(folder)
  process.setegid?.(gid)
  process.seteuid?.(uid)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

/**
 * Drops from root to the owner of `path` permanently: a command then sees what the server sees, and leaves no file that
 * the server cannot open. Does nothing when not root, or when there is no such file or folder.
 */
export function becomeOwnerOf(path: string): void {
  const owner = otherOwnerOf(path)
  if (owner === undefined) return
  takeGroupsOf(owner)
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

/**
 * Gives files that root has created in a folder of another user to that user, whose server could not use them
 * otherwise.
 */
export function giveToOwnerOf(folder: string): void {
  const owner = otherOwnerOf(folder)
  if (owner !== undefined) giveContent(folder, owner)
}

/** Not by the runtime's recursive listing, which enters symbolic links: that user may make one to a folder of root. */
function giveContent(folder: string, owner: Owner): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    lchownSync(path, owner.uid, owner.gid)
    if (lstatSync(path).isDirectory()) giveContent(path, owner)
  }
}

/** Warns when root is about to run a server in a folder of another user, who cannot open what it makes there meanwhile. */
export function warnOfRoot(log: Pick<Log, "warn">, folder: string): void {
  const owner = otherOwnerOf(folder)
  if (owner === undefined) return
  log.warn(
    `${folder} belongs to user ${owner.uid}: run the server as that user, with sudo -u; what root makes there becomes theirs when it stops, and after a kill by chown -R`,
  )
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Whom a file or folder belongs to, when this is root and that is somebody else. */
function otherOwnerOf(path: string): Owner | undefined {
  if (process.geteuid?.() !== 0) return undefined
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? undefined : found
}

/** The supplementary groups that systemd gives the server: its certificate may be readable to one of them only. */
function takeGroupsOf({ uid, gid }: Owner): void {
  try {
    unix.initgroups?.(uid, gid)
  } catch {
    // A user without a name is in no other groups.
    process.setgroups?.([])
  }
}

/** Missing from the types of the runtime. */
const unix = process as { initgroups?(user: number, group: number): void }
