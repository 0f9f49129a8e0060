import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Mode } from "../config.ts"
import { DomainError } from "../kernel/errors.ts"
import { databaseName } from "./database-file.ts"
import { makeFile } from "./private-file.ts"
import { unusable } from "./unusable.ts"

const modes: readonly Mode[] = ["serve", "sandbox"]

/**
 * The mode that made this data folder; undefined for one without any data. The sandbox captures all mail and has
 * publicly known keys, so neither mode opens a folder of the other. Writes nothing.
 */
export function modeOfFolder(folder: string): Mode | undefined {
  const path = join(folder, "mode")
  let text: string
  try {
    text = readFileSync(path, "utf8").trim()
  } catch (cause) {
    if (!isMissing(cause)) throw unusable(path, cause)
    // The mark is written before the database: a folder that has only the latter was made before there was a mark, and
    // is in server mode.
    return existsSync(join(folder, databaseName)) ? "serve" : undefined
  }
  const mode = modes.find((one) => one === text)
  if (mode) return mode
  throw new DomainError("unavailable", "STORE_UNUSABLE", `${path} must hold the word serve or sandbox.`)
}

/** Refuses a folder of the other mode. Writes nothing. */
export function requireMode(folder: string, mode: Mode): void {
  const made = modeOfFolder(folder)
  if (made === undefined || made === mode) return
  const owner = made === "sandbox" ? "a sandbox" : "a server"
  const other = mode === "sandbox" ? "A sandbox" : "A server"
  throw new DomainError(
    "conflict",
    "DATA_FOLDER_OF_OTHER_MODE",
    `The data folder ${folder} belongs to ${owner}. ${other} needs another one: name it with --data.`,
  )
}

/**
 * Marks a folder with its mode; the mark is on disk when it returns. Call it with the folder locked, before anything
 * else is written.
 */
export function keepMode(folder: string, mode: Mode): void {
  requireMode(folder, mode)
  const path = join(folder, "mode")
  if (!existsSync(path)) makeFile(path, mode)
}

const isMissing = (cause: unknown): boolean => ["ENOENT", "ENOTDIR"].includes((cause as { code?: string }).code ?? "")
