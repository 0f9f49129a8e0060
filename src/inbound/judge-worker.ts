import { second, systemClock } from "../kernel/clock.ts"
import { reasonOf } from "../kernel/log.ts"
import { lowerThreadPriority } from "../kernel/thread-priority.ts"
import { createDns, type Dns } from "../net/dns.ts"
import { judge } from "./judge.ts"
import type { JudgeAnswer, JudgeQuestion } from "./judge-thread.ts"

/** The thread that judges incoming messages for `judge-thread.ts`. */
declare const self: Worker

lowerThreadPriority(10)

/** The servers do not change while a process runs. */
let dns: Dns | undefined

self.onmessage = async ({ data: { id, arrival, servers } }: MessageEvent<JudgeQuestion>) => {
  dns ??= createDns({ servers, clock: systemClock, timeoutMs: 5 * second })
  const result = await judge(arrival, dns).catch((cause: unknown) => reasonOf(cause))
  self.postMessage({ id, result } satisfies JudgeAnswer)
}
