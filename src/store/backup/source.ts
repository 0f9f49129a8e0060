import { createReadStream } from "node:fs"
import { open, stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import type { DomainError } from "../../kernel/errors.ts"
import { unusable } from "../unusable.ts"
import { backupFault } from "./fault.ts"

/** A backup to read, in a file or a bucket. Each method rejects with a sentence that may be shown. */
export interface BackupSource {
  /** For messages. */
  readonly name: string
  size(): Promise<number>
  /** Its first bytes, fewer when it is shorter. */
  beginning(bytes: number): Promise<Buffer>
  read(): Readable
}

/** Its reading ends with an error when `abort` does. */
export const fileSource = (path: string, abort?: AbortSignal): BackupSource => ({
  name: path,
  size: async () => (await stat(path)).size,
  async beginning(bytes) {
    const found = Buffer.alloc(bytes)
    try {
      const file = await open(path, "r")
      try {
        return found.subarray(0, (await file.read(found, 0, bytes, 0)).bytesRead)
      } finally {
        await file.close()
      }
    } catch (cause) {
      throw unreadable(path, cause)
    }
  },
  read: () => createReadStream(path, { highWaterMark: 262_144, ...(abort && { signal: abort }) }),
})

/** The error for a file that the operator has named to be read. */
export const unreadable = (path: string, cause: unknown): DomainError =>
  (cause as { code?: string }).code === "ENOENT" ? backupFault(`There is no file ${path}.`) : unusable(path, cause)
