import { isAscii } from "node:buffer"
import { Readable } from "node:stream"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import type { Outgoing, Receipt } from "../../src/mail/transport.ts"
import { deferred, sent, unknownOutcome } from "../../src/mail/transport.ts"
import type { SmtpOptions } from "./options.ts"
import { receiptOf, type SmtpFailure, type Stage } from "./receipts.ts"

export interface Delivery {
  readonly receipt: Receipt
  /** Whether the session can take another message. */
  readonly reusable: boolean
  /** Whether the server had closed a reused session before anything was handed over; a new one may succeed. */
  readonly stale: boolean
}

/** One logged-in connection. It takes one message at a time. */
export interface Session {
  /** The number of messages it was given. */
  readonly used: number
  readonly alive: boolean
  /** Never rejects. When the signal aborts it settles promptly, and the session cannot be used again. */
  deliver(message: Outgoing, bytes: Uint8Array, abort: AbortSignal): Promise<Delivery>
  /** Sends QUIT; resolves when the connection is closed, within a second. */
  end(): Promise<void>
}

// How long to wait for the reply to a message that is handed over, once the caller wants to stop.
const finalReplyMs = 1_000

/** Connects, secures, logs in. Rejects with an `SmtpFailure`; at once when the signal aborts. */
export function openSession(
  options: SmtpOptions,
  text: (words: string) => string,
  abort: AbortSignal,
): Promise<Session> {
  const connection = new SMTPConnection({
    host: options.host,
    port: options.port,
    secure: options.tls === "implicit",
    requireTLS: options.tls === "required",
    ignoreTLS: options.tls === "off",
    tls: { rejectUnauthorized: !options.insecure },
    connectionTimeout: options.connectMs,
    greetingTimeout: options.connectMs,
    socketTimeout: options.silenceMs,
    dnsTimeout: options.connectMs,
    socketCloseTimeout: finalReplyMs,
    maxResponseSize: 65_536,
    ...(options.name === null ? {} : { name: options.name }),
  })
  return new Promise((resolve, reject) => {
    const fail = (failure: Error) => {
      abort.removeEventListener("abort", onAbort)
      reject(failure)
      connection.close()
    }
    const onAbort = () => fail(new Error("stopped before the message was handed over"))
    const succeed = () => {
      abort.removeEventListener("abort", onAbort)
      resolve(sessionOn(connection, text))
    }
    if (abort.aborted) return onAbort()
    abort.addEventListener("abort", onAbort, { once: true })
    // This listener stays: a failure of an idle session only ends it, and a running delivery gets its failure by
    // callback.
    connection.on("error", fail)
    connection.once("end", () => fail(new Error("the server closed the connection")))
    connection.connect((failure) => {
      if (failure) return fail(failure)
      if (options.login === null) return succeed()
      const refused = loginRefusal(connection, options)
      if (refused !== undefined) return fail(new Error(refused))
      const { user, password } = options.login
      connection.login({ user, pass: password }, (refusal) => (refusal ? fail(refusal) : succeed()))
    })
  })
}

/** A password is sent unencrypted only to this machine, or when the operator has switched TLS off. */
function loginRefusal({ secure, allowsAuth }: SMTPConnection, { tls, host }: SmtpOptions): string | undefined {
  if (!secure && tls !== "off" && !/^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)) {
    return "the server offers no TLS, and a password is not sent in the clear; ?tls=off would allow it"
  }
  return allowsAuth ? undefined : "the server offers no login, but the URL has a user and a password"
}

function sessionOn(connection: SMTPConnection, text: (words: string) => string): Session {
  let used = 0
  return {
    get used() {
      return used
    },
    get alive() {
      return !connection.destroyed
    },
    deliver(message, bytes, abort) {
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
  readonly text: (words: string) => string
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
      if (stage !== "handed") return giveUp(deferred("stopped before the message was handed over"))
      timer = setTimeout(() => giveUp(unknownOutcome("handed over, then stopped before an answer came")), finalReplyMs)
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
      if (!failure) {
        const id = info.serverMessageId?.replace(/^<|>$/g, "") ?? null
        return settle({ receipt: sent(id), reusable: true, stale: false })
      }
      verdict = failed(failure, { stage, first, text })
      if (!verdict.reusable || stage !== "envelope") return settle(verdict)
      // A refused recipient leaves the transaction open: it is ended before the next message (RFC 5321, 4.1.1.5).
      const { receipt, stale } = verdict
      connection.once("end", lost)
      connection.reset((problem) => settle({ receipt, reusable: !problem, stale }))
    })
  })
}

interface FailureContext {
  readonly stage: Stage
  readonly first: boolean
  readonly text: (words: string) => string
}

function failed(failure: SmtpFailure, { stage, first, text }: FailureContext): Delivery {
  const { responseCode: code } = failure
  const gone = code === undefined ? failure.code === "ECONNECTION" || failure.code === "ESOCKET" : code === 421
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
