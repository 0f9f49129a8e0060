import { reasonOf } from "../../src/kernel/log.ts"
import { createStoppable } from "../../src/kernel/stoppable.ts"
import type { Outgoing, Receipt, Transport, TransportPlugin, TransportTools } from "../../src/mail/transport.ts"
import { deferred, rejected } from "../../src/mail/transport.ts"
import { createClient } from "./client/open.ts"
import type { SmtpFailure } from "./failure.ts"
import { readOptions, type SmtpOptions } from "./options.ts"
import { createPool } from "./pool.ts"
import { cleaner, receiptOf } from "./receipts.ts"
import { stoppedWords } from "./session.ts"

/**
 * Hands mail to one SMTP server over reused connections, one message at a time on each: by our own client, or by
 * nodemailer where the URL says so.
 */
const smtp: TransportPlugin = {
  schemes: ["smtp", "smtps"],
  threaded: true,
  create: (url, tools) => createSmtp(`${url.protocol}//${url.host}`, readOptions(url), tools),
}

export default smtp

function createSmtp(name: string, options: SmtpOptions, { log }: TransportTools): Transport {
  const text = cleaner(options.login)
  const open = options.nodemailer
    ? async (abort: AbortSignal) =>
        (await import("./nodemailer/session.ts")).openNodemailerSession(options, text, abort)
    : createClient(options, text)
  const pool = createPool(options.pool, open)
  const deliveries = createStoppable()
  if (options.insecure && options.tls !== "off") log.warn("any certificate of the mail server is accepted", { name })

  async function deliver(message: Outgoing, abort: AbortSignal): Promise<Receipt> {
    let bytes: Uint8Array
    try {
      bytes = await message.bytes()
    } catch (problem) {
      return rejected(`the message cannot be composed: ${reasonOf(problem)}`)
    }
    const [start, { total }] = [performance.now(), options.times]
    const bounds = { abort, until: start + total }
    for (let attempt = 1; ; attempt++) {
      const session = await pool.take(abort, attempt > 1).catch((failure: SmtpFailure) => failure)
      if (session instanceof Error) {
        return abort.aborted ? stopped : named(receiptOf(session, "connecting", text))
      }
      const { receipt, reusable, stale } = await session.deliver(message, bytes, bounds)
      pool.give(session, reusable)
      const isLate = performance.now() > start + total / 2
      if (!stale || attempt === 2 || isLate || abort.aborted) return named(receipt)
      pool.dropIdle()
    }
  }

  /** Adds the name of the server where a reason concerns it. */
  const named = (receipt: Receipt): Receipt =>
    receipt.outcome === "deferred" && receipt.unreachable
      ? { ...receipt, reason: `${name}: ${receipt.reason}` }
      : receipt

  return {
    name,
    limits: { concurrency: options.pool, ahead: Math.ceil(options.pool / 2), batch: 1 },
    beginsEach: true,
    send: (messages, given) =>
      deliveries.run(given, async (abort) =>
        abort.aborted ? messages.map(() => stopped) : Promise.all(messages.map((message) => deliver(message, abort))),
      ),
    async verify(abort) {
      try {
        const session = await open(abort)
        await session.end()
      } catch (cause) {
        throw new Error(text(reasonOf(cause)))
      }
    },
    closeIdle: () => pool.dropIdle(),
    async close() {
      await deliveries.stop()
      await pool.close()
    },
  }
}

const stopped = deferred(stoppedWords)
