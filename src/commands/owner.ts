import { lchownSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

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
  const found = statSync(path, { throwIfNoEntry: false })
  if (process.geteuid?.() !== 0 || found === undefined || found.uid === 0) return
  takeGroupsOf(found)
  process.setgid?.(found.gid)
  process.setuid?.(found.uid)
}

/**
 * Gives files that root has created in a folder of another user to that user, whose server could not use them
 * otherwise.
 */
export function giveToOwnerOf(folder: string): void {
  const { uid, gid } = statSync(folder)
  if (process.geteuid?.() !== 0 || uid === 0) return
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    lchownSync(join(folder, name), uid, gid)
}

/** The supplementary groups that systemd gives the server: its certificate may be readable to one of them only. */
function takeGroupsOf({ uid, gid }: { readonly uid: number; readonly gid: number }): void {
  try {
    unix.initgroups?.(uid, gid)
  } catch {
    // A user without a name is in no other groups.
    process.setgroups?.([])
  }
}

/** Missing from the types of the runtime. */
const unix = process as { initgroups?(user: number, group: number): void }
