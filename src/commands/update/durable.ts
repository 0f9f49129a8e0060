import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"

/** Changes of files that are on disk when they return, and of which a crash leaves all or nothing. */

export function writeDurably(path: string, text: string): void {
  const draft = `${path}.draft`
  rmSync(draft, { force: true })
  const file = openSync(draft, "wx", 0o644)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameDurably(draft, path)
}

export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFolder(dirname(to))
}

/** Gives the file a second name, which may name another file before. */
export function linkDurably(path: string, name: string): void {
  const draft = `${name}.draft`
  rmSync(draft, { force: true })
  linkSync(path, draft)
  renameDurably(draft, name)
}

export function removeDurably(path: string): void {
  rmSync(path, { force: true })
  syncFolder(dirname(path))
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
