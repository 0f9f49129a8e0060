import type { Engine } from "../../engine.ts"
import { createJudge } from "../../inbound/judge-thread.ts"
import type { ParseMessage } from "../../inbound/parse-thread.ts"
import type { Received } from "../../inbound/types.ts"
import type { Module } from "../../module.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { Emails } from "../emails/index.ts"
import type { RecordEvent } from "../events/index.ts"
import { noVerdicts, type ProvidedMail, type Reports } from "../reports/index.ts"
import { createDestinations } from "./destination.ts"
import { createIntake, type InboxRecipient } from "./intake.ts"
import { createReceiver, isInbox } from "./receiver.ts"
import { traced } from "./trace.ts"

interface IncomingDeps {
  readonly domains: Domains
  readonly contacts: Contacts
  readonly emails: Pick<Emails, "findReported">
  readonly reports: Pick<Reports, "receiveReturned">
  readonly record: RecordEvent
  readonly parse: ParseMessage
  /** The name of this server. */
  readonly hostname: string
}

export type Incoming = ReturnType<typeof createIncoming>["actions"]

/** Mail from other servers: to the addresses of verified domains, and to return paths (contract B9.6). */
export function createIncoming(
  engine: Pick<Engine, "store" | "ids" | "bus" | "clock" | "realClock" | "log" | "config">,
  { domains, reports, ...deps }: IncomingDeps,
) {
  // In the sandbox mail comes from programs on this machine, for which DNS has no records, so it is not judged.
  const judge =
    engine.config.mode === "sandbox"
      ? undefined
      : createJudge(engine.config.dns.servers, { log: engine.log, clock: engine.realClock })
  const intake = createIntake({ ...engine, ...deps })
  const { hostname } = deps
  const destinationOf = createDestinations(domains, hostname)

  const takeFromServer = (message: Received<string>, recipients: readonly InboxRecipient[]) => {
    const { raw, mailFrom, remoteAddress, helo } = message
    return intake(
      {
        raw,
        mailFrom,
        async judged() {
          if (judge === undefined) return { verdicts: noVerdicts, original: raw }
          const judgement = await judge({ raw, mailFrom, remoteAddress, helo, hostname })
          const original = traced(message, { hostname, at: engine.clock.now(), judgement })
          return { verdicts: { ...noVerdicts, ...judgement }, original }
        },
      },
      recipients,
    )
  }
  return {
    name: "incoming",
    actions: {
      /** Whether mail to an address is for the inbox of a project. */
      isIncoming: async (address: string): Promise<boolean> => isInbox(await destinationOf(address)),

      receiver: createReceiver({ destinationOf, reports, intake: takeFromServer }),

      /**
       * Stores mail that a provider has received, once; not for recipients that are unknown here (contract B9.2.6). The
       * provider has judged the sender.
       */
      async takeMail({ key, mailFrom, recipients, verdicts, ...mail }: ProvidedMail): Promise<void> {
        const found = (await Promise.all(recipients.map(destinationOf))).filter(isInbox)
        // A recipient may be in both To and Cc, in different case.
        const inboxes = [...new Map(found.map((inbox) => [inbox.address, inbox])).values()]
        if (inboxes.length === 0) return
        const raw = mail.raw()
        await intake({ key, raw, mailFrom, judged: async () => ({ verdicts, original: raw }) }, inboxes)
      },
    },
  } satisfies Module
}
