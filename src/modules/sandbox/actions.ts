import type { Subscriber } from "../../bus/bus.ts"
import type { Signal, SignalKind } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import { createMessageParser, type ParseMessage } from "../../inbound/parse-aside.ts"
import { notFound } from "../../kernel/errors.ts"
import { type Outgoing, type Receipt, rejected, sent } from "../../mail/transport.ts"
import type { Store } from "../../store/store.ts"
import { type Email, type EmailContent, type Emails, emailChanged, emailSent } from "../emails/index.ts"
import { failure, outcomeOf, reportsOf } from "./simulated-outcome.ts"
import { deleteEmails, findRaw, listRecordsOfMessage, passLeadOn, saveRaw } from "./store.ts"

/** Stores a message handed to the capturing transport, exactly as it would have been sent. */
export const capture =
  ({ store }: Pick<Engine, "store">) =>
  async (message: Outgoing): Promise<Receipt> => {
    if (outcomeOf(message.envelope.to) === "fail") return rejected(failure)
    await store.write("instance", (unit) => saveRaw(unit, message.mime(), [message.id]))
    return sent(null)
  }

/** The content of a received message, parsed when it is read. */
export const capturedContent =
  (store: Pick<Store, "read">, parse: ParseMessage = createMessageParser()) =>
  async ({ id, projectId }: Email): Promise<EmailContent | undefined> => {
    const raw = await findRaw(store.read, id)
    if (raw === undefined) return undefined
    const { html, text, headers, attachments, complete } = await parse(raw, projectId)
    const shown = headers.filter(({ name }) => !hiddenHeaders.test(name))
    return {
      html: html ?? (text === null ? null : `<pre style="white-space:pre-wrap">${Bun.escapeHTML(text)}</pre>`),
      isTextOnly: html === null,
      text,
      headers: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
      attachments,
      notice: complete ? undefined : incomplete,
    }
  }

const incomplete = "This message is too large or too broken to be shown in full. Its source has all of it."

/** MIME headers, trace fields and signatures are not shown (contract A4.5.4). */
const hiddenHeaders = /^(?:mime-version|content-.*|received|dkim-signature|arc-.*|authentication-results)$/i

/**
 * Simulates the receiving side: sent mail is delivered, or has the outcome that its address requests (contract A8.3.3).
 */
export const createSimulator = (emails: Emails): Subscriber => ({
  name: "sandbox.simulator",
  on: [emailSent as SignalKind<unknown>],
  async handle(signals, unit) {
    for (const { payload } of signals as readonly Signal<{ emailId: string }>[]) {
      const to = await emails.addressOf(unit, payload.emailId)
      if (to === undefined) continue
      for (const report of reportsOf[outcomeOf(to)]) await emails.report(unit, payload.emailId, report)
    }
  },
})

export function createSandboxActions({ store, bus }: Pick<Engine, "store" | "bus">) {
  return {
    async raw(emailId: string): Promise<Uint8Array> {
      const raw = await findRaw(store.read, emailId)
      if (raw === undefined) throw notFound("Email", emailId)
      return raw
    },

    /** Deletes one email permanently. */
    deleteOne: (projectId: string, id: string): Promise<void> =>
      store.write(projectId, async (unit) => {
        await passLeadOn(unit, id)
        if ((await deleteEmails(unit, projectId, id)) === 0) throw notFound("Email", id)
        await bus.emit(unit, emailChanged, projectId, { id, change: "deleted" })
      }),

    /** Deletes the message that an email belongs to, with the records of all its recipients. */
    deleteMessage: (projectId: string, id: string): Promise<void> =>
      store.write(projectId, async (unit) => {
        const records = await listRecordsOfMessage(unit, projectId, id)
        if (records.length === 0) throw notFound("Email", id)
        for (const record of records) {
          await deleteEmails(unit, projectId, record)
          await bus.emit(unit, emailChanged, projectId, { id: record, change: "deleted" })
        }
      }),

    /** Deletes all mail of the project. */
    deleteAll: (projectId: string): Promise<void> =>
      store.write(projectId, async (unit) => {
        await deleteEmails(unit, projectId)
        await bus.emit(unit, emailChanged, projectId, { id: "", change: "cleared" })
      }),
  }
}

export type SandboxActions = ReturnType<typeof createSandboxActions>
