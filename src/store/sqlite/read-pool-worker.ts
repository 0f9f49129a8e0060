import { lowerThreadPriority } from "../../kernel/thread-priority.ts"
import { serveReads } from "./read-thread.ts"

/** A thread of `read-pool.ts`. */
declare const self: Worker

lowerThreadPriority(15)

serveReads(self)
