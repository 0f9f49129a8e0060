import { serveReads } from "../../src/store/sqlite/read-thread.ts"

/**
 * A thread of a read pool with the priority of all others: one of less holds locks that the others wait for on a busy
 * machine, and takes several times the processor time.
 */
declare const self: Worker

serveReads(self)
