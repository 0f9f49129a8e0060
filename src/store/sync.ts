import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"

/** The names in a folder are on disk when it resolves. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync folders.
  if (process.platform === "win32") return
  const folder = await open(path, "r")
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The same, at once. */
export function syncFolderNow(path: string): void {
  if (process.platform === "win32") return
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** The content of a file is on disk when this returns. */
export function syncFileNow(path: string): void {
  const file = openSync(path, "r+")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a file, which must not exist; its text is on disk when this returns. */
export function writeNewFile(path: string, text: string, mode: number): void {
  const file = openSync(path, "wx", mode)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
