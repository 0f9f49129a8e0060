import type { Engine } from "../../engine.ts"
import { createJudge } from "../../inbound/judge-aside.ts"
import type { ParseMessage } from "../../inbound/parse-aside.ts"
import type { Module } from "../../module.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { RecordEvent } from "../events/index.ts"
import type { Reports } from "../reports/index.ts"
import { createDestinations } from "./destination.ts"
import { createIntake } from "./intake.ts"
import { createReceiver } from "./receiver.ts"

export interface IncomingDeps {
  readonly domains: Domains
  readonly contacts: Contacts
  readonly reports: Pick<Reports, "receiveReturned">
  readonly record: RecordEvent
  readonly parse: ParseMessage
  /** The name of this server. */
  readonly hostname: string
}

export type Incoming = ReturnType<typeof createIncoming>["actions"]

/** Mail from other servers: to the addresses of verified domains, and to return paths (contract B9.6). */
export function createIncoming(
  engine: Pick<Engine, "store" | "ids" | "bus" | "clock" | "log" | "config">,
  { domains, reports, ...deps }: IncomingDeps,
) {
  const judge = createJudge(engine.config.dns.servers, engine)
  const intake = createIntake({ ...engine, ...deps, judge })
  const receiver = createReceiver({ destinationOf: createDestinations(domains), reports, intake })
  return {
    name: "incoming",
    actions: { receiver },
  } satisfies Module
}
