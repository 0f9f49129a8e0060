import { setPriority } from "node:os"
import { serveReads } from "./read-thread.ts"

/** A thread of `read-pool.ts`. */
declare const self: Worker

/**
 * Requests and mail have priority. Only Linux has priorities of threads; elsewhere this would affect the whole process.
 */
if (process.platform === "linux") setPriority(0, 15)

serveReads(self)
