import { setPriority } from "node:os"
import { second, systemClock } from "../kernel/clock.ts"
import { answerWork } from "../kernel/work-threads.ts"
import { createDns, type Dns } from "../net/dns.ts"
import { judge } from "./judge.ts"
import type { JudgeQuestion } from "./judge-aside.ts"

/** The thread that judges incoming messages for `judge-aside.ts`. */
declare const self: Worker

if (process.platform === "linux") setPriority(0, 10)

/** The servers do not change while a process runs. */
let dns: Dns | undefined

answerWork<JudgeQuestion>(self, ({ arrival, servers }) => {
  dns ??= createDns({ servers, clock: systemClock, timeoutMs: 5 * second })
  return judge(arrival, dns)
})
