import { isAscii } from "node:buffer"
import { Readable } from "node:stream"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import type { Outgoing, Receipt } from "../../../src/mail/transport.ts"
import { deferred, sent, unknownOutcome } from "../../../src/mail/transport.ts"
import { SmtpFailure } from "../failure.ts"
import { loginInClear, noClearLogin, noLogin, type SmtpOptions } from "../options.ts"
import { receiptOf, type Stage, stoppedUnanswered } from "../receipts.ts"
import { type CleanText, type Delivery, finalReplyMs, type Session, stoppedWords } from "../session.ts"
import { failureOf } from "./failure.ts"

/** Connects, secures, logs in. Rejects with an `SmtpFailure`; at once when the signal aborts. */
export function openNodemailerSession(options: SmtpOptions, text: CleanText, abort: AbortSignal): Promise<Session> {
  const connection = new SMTPConnection({
    host: options.host,
    port: options.port,
    secure: options.tls === "implicit",
    requireTLS: options.tls === "required",
    ignoreTLS: options.tls === "off",
    tls: { rejectUnauthorized: !options.insecure },
    connectionTimeout: options.connectMs,
    greetingTimeout: options.connectMs,
    socketTimeout: options.times.other,
    dnsTimeout: options.connectMs,
    socketCloseTimeout: finalReplyMs,
    maxResponseSize: 65_536,
    ...(options.name === null ? {} : { name: options.name }),
  })
  return new Promise((resolve, reject) => {
    const fail = (failure: Error) => {
      abort.removeEventListener("abort", onAbort)
      reject(failureOf(failure))
      connection.close()
    }
    const onAbort = () => fail(new SmtpFailure("stopped", stoppedWords))
    const succeed = () => {
      abort.removeEventListener("abort", onAbort)
      resolve(sessionOn(connection, text))
    }
    if (abort.aborted) return onAbort()
    abort.addEventListener("abort", onAbort, { once: true })
    // This listener stays: a failure of an idle session only ends it, and a running delivery gets its failure by
    // callback.
    connection.on("error", fail)
    connection.once("end", () => fail(new SmtpFailure("closed", "the server closed the connection")))
    connection.connect((failure) => {
      if (failure) return fail(failure)
      if (options.login === null) return succeed()
      const refused = loginRefusal(connection, options)
      if (refused !== undefined) return fail(new SmtpFailure("setup", refused))
      const { user, password } = options.login
      connection.login({ user, pass: password }, (refusal) => (refusal ? fail(refusal) : succeed()))
    })
  })
}

function loginRefusal({ secure, allowsAuth }: SMTPConnection, options: SmtpOptions): string | undefined {
  if (!secure && !loginInClear(options)) return noClearLogin
  return allowsAuth ? undefined : noLogin
}

function sessionOn(connection: SMTPConnection, text: CleanText): Session {
  let used = 0
  return {
    get used() {
      return used
    },
    get alive() {
      return !connection.destroyed
    },
    deliver(message, bytes, { abort }) {
      used++
      return deliverOn(connection, { message, bytes, first: used === 1, text }, abort)
    },
    async end() {
      if (connection.destroyed) return
      const gone = new Promise((resolve) => connection.once("end", resolve))
      const timer = setTimeout(() => connection.close(), finalReplyMs)
      connection.quit()
      await gone
      clearTimeout(timer)
    },
  }
}

interface DeliveryInput {
  readonly message: Outgoing
  readonly bytes: Uint8Array
  readonly first: boolean
  readonly text: CleanText
}

function deliverOn(connection: SMTPConnection, input: DeliveryInput, abort: AbortSignal): Promise<Delivery> {
  const { message, bytes, first, text } = input
  let stage: Stage = "envelope"
  let verdict: Delivery | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  return new Promise((resolve) => {
    const settle = (delivery: Delivery) => {
      clearTimeout(timer)
      abort.removeEventListener("abort", stop)
      connection.removeListener("end", lost)
      if (!delivery.reusable) connection.close()
      resolve(delivery)
    }
    const giveUp = (receipt: Receipt) => settle({ receipt, reusable: false, stale: false })
    const lost = () => verdict && giveUp(verdict.receipt)
    const stop = () => {
      if (verdict) return giveUp(verdict.receipt)
      if (stage !== "handed") return giveUp(deferred(stoppedWords))
      timer = setTimeout(() => giveUp(unknownOutcome(stoppedUnanswered)), finalReplyMs)
    }
    if (abort.aborted) return stop()
    abort.addEventListener("abort", stop, { once: true })
    const { from, to } = message.envelope
    const envelope = { from, to: [to], size: bytes.byteLength, use8BitMime: !isAscii(bytes) }
    const source = slices(bytes, async (last) => {
      stage = "data"
      if (!last) return
      await message.begin()
      stage = "handed"
    })
    connection.send(envelope, source, (failure, info) => {
      if (!failure && stage !== "handed") {
        return giveUp(unknownOutcome("the server answered before it had the whole message"))
      }
      if (!failure && hasOtherCodes.test(info.response)) {
        return giveUp(unknownOutcome("handed over, then the server sent a reply whose lines contradict each other"))
      }
      if (!failure) {
        const id = info.serverMessageId?.replace(/^<|>$/g, "") ?? null
        return settle({ receipt: sent(id), reusable: true, stale: false })
      }
      verdict = failed(failureOf(failure), { stage, first, text })
      if (!verdict.reusable || stage !== "envelope") return settle(verdict)
      // A refused recipient leaves the transaction open: it is ended before the next message (RFC 5321, 4.1.1.5).
      const { receipt, stale } = verdict
      connection.once("end", lost)
      connection.reset((problem) => settle({ receipt, reusable: !problem, stale }))
    })
  })
}

/** The package judges a reply by its first line. */
const hasOtherCodes = /\n(?!2)/

interface FailureContext {
  readonly stage: Stage
  readonly first: boolean
  readonly text: CleanText
}

function failed(failure: SmtpFailure, { stage, first, text }: FailureContext): Delivery {
  const { code } = failure
  const gone = failure.kind === "closed" || code === 421
  const answered = code !== undefined && code !== 421 && code !== 503 && stage !== "data"
  return {
    receipt: receiptOf(failure, stage, text),
    reusable: answered,
    stale: gone && stage === "envelope" && !first,
  }
}

const sliceBytes = 65_536

/**
 * The message as a stream that is read only once the server has asked for data. A slice is sent when `leaving` has
 * resolved; after a rejection nothing more is sent. A slice is requested when the previous ones are mostly sent, so
 * "last" may be early but is never late.
 */
function slices(bytes: Uint8Array, leaving: (last: boolean) => Promise<void>): Readable {
  let at = 0
  return new Readable({
    highWaterMark: sliceBytes,
    read() {
      const [start, end] = [at, Math.min(at + sliceBytes, bytes.byteLength)]
      at = end
      const last = end === bytes.byteLength
      const leave = () => {
        if (this.destroyed) return
        this.push(bytes.subarray(start, end))
        if (last) this.push(null)
      }
      leaving(last).then(leave, (cause) => this.destroy(cause))
    },
  })
}
