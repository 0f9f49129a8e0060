import type { Outgoing } from "../../../src/mail/transport.ts"
import { sent, unknownOutcome } from "../../../src/mail/transport.ts"
import { SmtpFailure } from "../failure.ts"
import type { TimeLimits } from "../options.ts"
import { receiptOf, type Stage } from "../receipts.ts"
import { type Bounds, type CleanText, type Delivery, finalReplyMs, stoppedWords } from "../session.ts"
import { type Content, chunkContent, dataContent } from "./content.ts"
import { mailLine, recipientLine, unfit } from "./envelope.ts"
import type { Extensions } from "./extensions.ts"
import { givenMessageId } from "./message-id.ts"
import { type Reply, replyText } from "./replies.ts"
import { type Answer, isFailure, type Wire } from "./wire.ts"

interface TransactionContext {
  readonly extensions: Extensions
  readonly times: TimeLimits
  readonly host: string
  readonly text: CleanText
  /** Called when the server does not know BDAT although it offers it. */
  readonly withoutChunks: () => void
}

interface TransactionOptions extends Bounds {
  /** Whether this is the first message on its connection. */
  readonly first: boolean
}

type Transaction = (message: Outgoing, bytes: Uint8Array, options: TransactionOptions) => Promise<Delivery>

interface Step {
  readonly name: string
  readonly line: string
  readonly ms: number
  /** The first digit of the reply that lets the transaction go on. */
  readonly wants: number
}

/**
 * Hands messages over on one connection, one after the other. With PIPELINING the envelope is one write and the content
 * another one. The end of the content is sent only when `begin` has resolved; whatever goes wrong before that, the server
 * does not have the message.
 */
export function createTransaction(wire: Wire, context: TransactionContext): Transaction {
  const { extensions, times, host, text, withoutChunks } = context
  const { chunking, pipelining } = extensions
  /** Whether the server has a sender that the next MAIL would be added to. */
  let isOpen = false

  /** Resolves with what went wrong, if anything. The answers to all commands that were sent have then come. */
  async function envelope({ envelope: paths }: Outgoing, bytes: Uint8Array, left: Budget) {
    const steps: Step[] = [
      { name: "MAIL FROM", line: mailLine(paths, bytes, extensions), ms: times.mail, wants: 2 },
      { name: "RCPT TO", line: recipientLine(paths), ms: times.rcpt, wants: 2 },
    ]
    if (isOpen) steps.unshift({ name: "RSET", line: "RSET\r\n", ms: times.other, wants: 2 })
    if (!chunking) steps.push({ name: "DATA", line: "DATA\r\n", ms: times.data, wants: 3 })
    let verdict: SmtpFailure | undefined
    let hasRecipient = true
    if (pipelining) wire.write(steps.map(({ line }) => line).join(""))
    const answers = pipelining ? steps.map(({ ms }) => wire.answer(left(ms))) : []
    for (const [at, { name, line, ms, wants }] of steps.entries()) {
      if (!pipelining) wire.write(line)
      const answer = await (answers[at] ?? wire.answer(left(ms)))
      if (isFailure(answer)) return verdict ?? answer
      const { code } = answer
      if (name === "RSET" && !isDone(answer)) return new SmtpFailure("closed", replied(name, answer).message)
      if (name === "RSET" || name === "MAIL FROM") isOpen = name === "MAIL FROM" && isDone(answer)
      if (name === "RCPT TO") hasRecipient = code < 400
      if (Math.trunc(code / 100) !== wants) verdict ??= replied(name, answer)
      if (verdict && (code === 421 || !pipelining)) return verdict
      if (verdict && name === "DATA" && code < 400) {
        // To a recipient that the server may have it would deliver the empty message.
        if (hasRecipient) wire.fail(verdict)
        else await endEmpty(left)
      }
    }
    return verdict
  }

  /** DATA is open although there is nobody to deliver to: it is ended at once (RFC 2920, 3.1). */
  async function endEmpty(left: Budget): Promise<void> {
    wire.write(".\r\n")
    if (!isFailure(await wire.answer(left(times.final)))) isOpen = false
  }

  /** Sends all but the last slice. Resolves early when the server answers meanwhile. */
  async function allButLast(content: Content, answered: Promise<unknown>, left: Budget): Promise<void> {
    for (let at = 0; at < content.count - 1 && wire.unanswered > 0; at++) {
      if (wire.write(content.slice(at))) continue
      wire.allow(left(times.block))
      await Promise.race([wire.drained(), answered])
    }
  }

  return async (message, bytes, { first, abort, until }) => {
    let stage: Stage = "envelope"
    const left: Budget = (ms) => Math.max(1, Math.min(ms, until - performance.now()))

    function stop(): void {
      if (stage === "handed") wire.allow(finalReplyMs)
      else wire.fail(new SmtpFailure("stopped", stoppedWords))
    }

    function settle(given: SmtpFailure): Delivery {
      const stopped = stage === "handed" && given.kind === "silent" && abort.aborted
      const failure = stopped ? new SmtpFailure("stopped", given.message) : given
      const receipt = receiptOf(failure, stage, text)
      const { kind, code } = failure
      const answered = code !== undefined && code >= 400 && code !== 421 && code !== 503 && stage !== "data"
      const reusable = (answered || kind === "unfit") && wire.alive
      if (!reusable) wire.fail(failure)
      return { receipt, reusable, stale: (kind === "closed" || code === 421) && stage === "envelope" && !first }
    }

    async function handOver(): Promise<Delivery> {
      const misfit = unfit(message.envelope, bytes.byteLength, extensions)
      if (misfit) return settle(misfit)
      const refusal = await envelope(message, bytes, left)
      if (refusal) return settle(refusal)

      stage = "data"
      const content = chunking ? chunkContent(bytes) : dataContent(bytes)
      const final = wire.answer(left(times.block))
      await allButLast(content, final, left)
      if (wire.unanswered > 0) {
        try {
          await message.begin()
        } catch (cause) {
          return settle(new SmtpFailure("withheld", cause instanceof Error ? cause.message : String(cause)))
        }
      }
      if (wire.unanswered > 0) {
        stage = "handed"
        wire.write(content.slice(content.count - 1))
        wire.allow(left(times.final))
      }
      return concluded(await final)
    }

    function concluded(answer: Answer): Delivery {
      if (isFailure(answer)) return settle(answer)
      if (answer.code >= 400) {
        // RFC 3030 (2): after a chunk that failed, the transaction goes on until RSET.
        isOpen = chunking
        return chunking && unknownCommand.has(answer.code) ? unchunked(answer) : settle(replied(name, answer))
      }
      isOpen = false
      if (stage === "handed" && isDone(answer))
        return { receipt: sent(givenMessageId(replyText(answer), host)), reusable: wire.alive, stale: false }
      if (stage === "handed") return settle(replied(name, answer))
      const receipt = unknownOutcome("the server answered before it had the whole message")
      wire.fail(new SmtpFailure("garbled", receipt.outcome))
      return { receipt, reusable: false, stale: false }
    }

    /** The server has interpreted the content as commands. */
    function unchunked(answer: Reply): Delivery {
      withoutChunks()
      const failure = new SmtpFailure("setup", `the server offers CHUNKING, then refuses it: ${replyText(answer)}`)
      stage = "envelope"
      return settle(failure)
    }

    const name = chunking ? "BDAT" : "end of DATA"
    if (abort.aborted) {
      stop()
      return settle(new SmtpFailure("stopped", stoppedWords))
    }
    abort.addEventListener("abort", stop, { once: true })
    try {
      return await handOver()
    } finally {
      abort.removeEventListener("abort", stop)
    }
  }
}

// RFC 5321 (4.2.4): syntax error, not implemented, parameter not implemented.
const unknownCommand = new Set([500, 502, 504])

const isDone = ({ code }: Reply): boolean => code >= 200 && code < 300

const replied = (name: string, reply: Reply): SmtpFailure =>
  new SmtpFailure("reply", `${name}: ${replyText(reply)}`, reply.code)

/** The part of a time limit that is left of the time for the whole hand-over, at least a millisecond. */
type Budget = (ms: number) => number
