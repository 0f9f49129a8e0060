import { statSync } from "node:fs"

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
