import net from "node:net"
import { hostname } from "node:os"
import { orAbort } from "../../../src/kernel/abort.ts"
import { noGreeting, SmtpFailure, socketFailure } from "../failure.ts"
import type { SmtpOptions } from "../options.ts"
import { type CleanText, finalReplyMs, type Session, stoppedWords } from "../session.ts"
import { dial, withTls } from "./dial.ts"
import { type Extensions, readExtensions } from "./extensions.ts"
import { logIn } from "./login.ts"
import { type Reply, replyText } from "./replies.ts"
import { createTransaction } from "./transaction.ts"
import { createWire, isFailure, type Wire } from "./wire.ts"

/** Connects, secures, logs in. Rejects with an `SmtpFailure`; at once when the signal aborts. */
type OpenSession = (abort: AbortSignal) => Promise<Session>

/** The sessions of our own client with one server. */
export function createClient(options: SmtpOptions, text: CleanText): OpenSession {
  let chunking = true
  const withoutChunks = () => {
    chunking = false
  }
  return async (abort) => {
    const { wire, extensions } = await opened(options, abort)
    const offered = { ...extensions, chunking: chunking && extensions.chunking }
    const { times, host } = options
    return sessionOn(wire, createTransaction(wire, { extensions: offered, times, host, text, withoutChunks }))
  }
}

async function opened(options: SmtpOptions, abort: AbortSignal): Promise<Introduced> {
  const stop = new AbortController()
  const onAbort = () => stop.abort(new SmtpFailure("stopped", stoppedWords))
  if (abort.aborted) onAbort()
  abort.addEventListener("abort", onAbort, { once: true })
  const { connectMs, times } = options
  const tooLong = new SmtpFailure("silent", "the server was silent for too long")
  const late = setTimeout(() => stop.abort(tooLong), connectMs + times.other)
  let wire: Wire | undefined
  try {
    wire = await greeted(options, stop)
    const session = await introduced(wire, options, stop.signal)
    wire = session.wire
    const { secure, extensions } = session
    await logIn(options, { secure, offered: extensions.login, ask: asking(wire, options, stop.signal) })
    return session
  } catch (cause) {
    const failure = socketFailure(cause)
    wire?.fail(failure)
    throw failure
  } finally {
    clearTimeout(late)
    abort.removeEventListener("abort", onAbort)
  }
}

/** Connected, with TLS if that comes first, and greeted by the server: all in the time for a connection. */
async function greeted(options: SmtpOptions, stop: AbortController): Promise<Wire> {
  let words = "no connection in time"
  const late = setTimeout(() => stop.abort(new SmtpFailure("silent", words)), options.connectMs)
  let wire: Wire | undefined
  try {
    const socket = await dial(options, stop.signal)
    wire = createWire(options.tls === "implicit" ? await withTls(socket, options, stop.signal) : socket)
    words = options.tls === "implicit" ? "no greeting in time" : noGreeting
    const greeting = await answerOf(wire, options.connectMs, stop.signal)
    if (greeting.code !== 220) throw refused("greeting", greeting)
    return wire
  } catch (cause) {
    wire?.fail(socketFailure(cause))
    throw cause
  } finally {
    clearTimeout(late)
  }
}

interface Introduced {
  readonly wire: Wire
  readonly secure: boolean
  readonly extensions: Extensions
}

/** EHLO, and again after STARTTLS (RFC 3207). */
async function introduced(wire: Wire, options: SmtpOptions, signal: AbortSignal): Promise<Introduced> {
  const extensions = await hello(wire, options, signal)
  if (options.tls === "implicit") return { wire, secure: true, extensions }
  const starts = options.tls === "required" || (options.tls === "offered" && extensions.startTls)
  if (!starts) return { wire, secure: false, extensions }
  const go = await asking(wire, options, signal)("STARTTLS")
  if (go.code !== 220) throw new SmtpFailure("reply", `the server does not start TLS: ${replyText(go)}`, go.code)
  // Data received in plain text after the reply could be from anybody (command injection).
  const plain = wire.release()
  if (plain === undefined) throw new SmtpFailure("garbled", "TLS failed: the server sent more than it was asked for")
  const secured = createWire(await withTls(plain, options, signal).catch(inTls))
  try {
    return { wire: secured, secure: true, extensions: await hello(secured, options, signal) }
  } catch (cause) {
    secured.fail(socketFailure(cause))
    throw cause
  }
}

function inTls(cause: unknown): never {
  const { kind, message } = socketFailure(cause)
  throw new SmtpFailure(kind, kind === "silent" ? "TLS was not set up in time" : `TLS failed: ${message}`)
}

async function hello(wire: Wire, options: SmtpOptions, signal: AbortSignal): Promise<Extensions> {
  const ask = asking(wire, options, signal)
  const name = options.name ?? ownName()
  const reply = await ask(`EHLO ${name}`)
  if (reply.code === 250) return readExtensions(reply.lines)
  // A server that knows no extensions (RFC 5321, 3.2) has neither TLS nor a login.
  const old = reply.code >= 500 && options.login === null && options.tls !== "required"
  const plain = old ? await ask(`HELO ${name}`) : reply
  if (plain.code !== 250) throw refused(old ? "HELO" : "EHLO", plain)
  return readExtensions([])
}

/** The machine's name where it is a full one, else an address literal (RFC 5321, 4.1.3). */
function ownName(): string {
  const name = hostname()
  if (net.isIPv4(name)) return `[${name}]`
  return /^[\w-]+(?:\.[\w-]+)+$/.test(name) ? name : "[127.0.0.1]"
}

const asking =
  (wire: Wire, { times }: SmtpOptions, signal: AbortSignal) =>
  (line: string): Promise<Reply> => {
    wire.write(`${line}\r\n`)
    return answerOf(wire, times.other, signal)
  }

async function answerOf(wire: Wire, ms: number, signal: AbortSignal): Promise<Reply> {
  const answer = await orAbort(wire.answer(ms), signal)
  if (isFailure(answer)) throw answer
  return answer
}

const refused = (command: string, reply: Reply): SmtpFailure =>
  new SmtpFailure("reply", `${command}: ${replyText(reply)}`, reply.code)

function sessionOn(wire: Wire, transaction: ReturnType<typeof createTransaction>): Session {
  let used = 0
  return {
    get used() {
      return used
    },
    get alive() {
      return wire.alive
    },
    deliver(message, bytes, bounds) {
      used++
      return transaction(message, bytes, { ...bounds, first: used === 1 })
    },
    end: () => wire.quit(finalReplyMs),
  }
}
