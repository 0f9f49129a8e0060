import type net from "node:net"
import { lastLookMs } from "../../../src/kernel/time-limit.ts"
import { SmtpFailure, socketFailure } from "../failure.ts"
import { createReplyReader, type Reply } from "./replies.ts"

/** The outcome of a command. */
export type Answer = Reply | SmtpFailure

export const isFailure = (answer: Answer): answer is SmtpFailure => answer instanceof SmtpFailure

/** A connection on which replies are matched to commands in order (RFC 2920). After a failure every answer is that failure. */
export interface Wire {
  readonly alive: boolean
  readonly failure: SmtpFailure | undefined
  /** Commands without an answer so far. */
  readonly unanswered: number
  /** Sends the bytes as they are; false when they should be let drain before more is sent. */
  write(bytes: string | Uint8Array): boolean
  /** Resolves when what was written has mostly left, or when the wire has failed. */
  drained(): Promise<void>
  /**
   * The answer to the next command that is not answered yet. Never rejects. `ms` is the time that the server has for it,
   * from the reply before it or from now.
   */
  answer(ms: number): Promise<Answer>
  /** Gives the first command without an answer this time from now. */
  allow(ms: number): void
  /** Ends the connection at once; does nothing after a failure. */
  fail(failure: SmtpFailure): void
  /** Releases the socket, for TLS. Undefined, and a failure, when the server has sent more than the replies. */
  release(): net.Socket | undefined
  /** Sends QUIT; resolves when the connection is closed, at the latest after `ms`. */
  quit(ms: number): Promise<void>
}

interface Expected {
  readonly ms: number
  readonly settle: (answer: Answer) => void
}

export function createWire(socket: net.Socket): Wire {
  const expected: Expected[] = []
  const closed = Promise.withResolvers<void>()
  let failure: SmtpFailure | undefined
  let quitting = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let firesAt = Number.POSITIVE_INFINITY
  let deadline = 0
  let isOverdue = false

  const reader = createReplyReader((reply) => {
    if (failure || quitting) return
    const first = expected.shift()
    // A server says 421 at any time when it gives the connection up (RFC 5321, 3.8).
    if (first === undefined) return fail(unasked(reply))
    const [next] = expected
    if (next) allow(next.ms)
    first.settle(reply)
  })

  function allow(ms: number): void {
    deadline = performance.now() + ms
    isOverdue = false
    if (deadline < firesAt) schedule(ms)
  }

  /** The timer is not set anew for every command: it looks at the deadline when it fires. */
  function schedule(ms: number): void {
    clearTimeout(timer)
    firesAt = deadline
    timer = setTimeout(watch, Math.ceil(ms))
  }

  function watch(): void {
    firesAt = Number.POSITIVE_INFINITY
    if (failure || expected.length === 0) return
    const left = deadline - performance.now()
    if (left > 0) schedule(left)
    else if (isOverdue) fail(new SmtpFailure("silent", "the server was silent for too long"))
    else {
      isOverdue = true
      schedule(lastLookMs)
    }
  }

  function fail(reason: SmtpFailure): void {
    if (failure) return
    failure = reason
    clearTimeout(timer)
    socket.destroy()
    closed.resolve()
    for (const { settle } of expected.splice(0)) settle(reason)
  }

  const onData = (bytes: Uint8Array) => {
    const fault = reader.feed(bytes)
    if (fault !== undefined) fail(new SmtpFailure("garbled", `the server sent ${fault}`))
  }
  const onEnd = () => fail(new SmtpFailure("closed", "the server closed the connection"))
  const onError = (cause: unknown) => fail(socketFailure(cause))
  socket.on("data", onData)
  socket.on("end", onEnd)
  socket.on("close", onEnd)
  socket.on("error", onError)
  if (socket.destroyed) onEnd()

  return {
    get alive() {
      return failure === undefined && !quitting
    },
    get failure() {
      return failure
    },
    get unanswered() {
      return expected.length
    },
    write: (bytes) => failure !== undefined || socket.write(bytes),
    async drained() {
      if (failure || !socket.writableNeedDrain) return
      const drain = Promise.withResolvers<void>()
      socket.once("drain", drain.resolve)
      await Promise.race([drain.promise, closed.promise])
      socket.removeListener("drain", drain.resolve)
    },
    answer(ms) {
      if (failure) return Promise.resolve(failure)
      return new Promise((settle) => {
        if (expected.push({ ms, settle }) === 1) allow(ms)
      })
    },
    allow,
    fail,
    release() {
      if (failure || reader.isMidway) return undefined
      clearTimeout(timer)
      socket.removeListener("data", onData)
      socket.removeListener("end", onEnd)
      socket.removeListener("close", onEnd)
      socket.removeListener("error", onError)
      return socket
    },
    async quit(ms) {
      if (failure) return
      quitting = true
      clearTimeout(timer)
      const late = setTimeout(onEnd, ms)
      socket.end("QUIT\r\n")
      await closed.promise
      clearTimeout(late)
    },
  }
}

const unasked = (reply: Reply): SmtpFailure =>
  reply.code === 421
    ? new SmtpFailure("closed", `the server closed the connection: ${reply.lines.join("\n")}`)
    : new SmtpFailure("garbled", "the server sent a reply to no command")
