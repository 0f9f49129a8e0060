import type net from "node:net"
import type { SMTPServer, SMTPServerSession } from "smtp-server"
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js"
import type { Clock } from "../kernel/clock.ts"
import type { MemoryBudget } from "../kernel/memory-budget.ts"
import type { ClientCounts, CountedClient } from "./client-counts.ts"
import { MessageBody } from "./message-body.ts"
import { createPace, type Done, type Pace } from "./pace.ts"
import { hasOwnStatus, type Reply } from "./reply.ts"
import { SessionStream, WireFault } from "./session-stream.ts"

/** What a connection needs from its listener. */
export interface SessionOptions {
  readonly maxBytes: number
  readonly memory: MemoryBudget
  /** Counts the connections of each address, this one included, until it is closed. */
  readonly clients: ClientCounts
  readonly maxClientsPerAddress: number
  readonly idleMs: number
  readonly clock: Pick<Clock, "now">
  /** Closes a connection that has made no progress for a while; false when there is none. */
  readonly endIdlest: () => boolean
  /**
   * Closes a connection whose message has made no progress for a while, other than the given one; false when there is
   * none.
   */
  readonly endIdlestMessage: (but: Conversation) => boolean
  readonly stopping: () => boolean
  /** Takes a complete message; never rejects. */
  readonly deliver: (session: SMTPServerSession, raw: Uint8Array) => Promise<Reply>
  readonly closed: () => void
}

const refusals = {
  too_large: { code: 552, text: "5.3.4 Message too large" },
  out_of_memory: { code: 452, text: "4.3.1 Too much mail at once, try again later" },
} as const satisfies Record<string, Reply>

/** One connection: the package's commands, with our own greeting and reception of messages. */
export class Conversation extends SMTPConnection {
  #counted: CountedClient | undefined
  #commands = 0
  readonly #pace: Pace

  constructor(
    server: SMTPServer,
    private readonly peerSocket: net.Socket,
    options: SMTPConnectionOptions | null | undefined,
    private readonly sessionOptions: SessionOptions,
  ) {
    super(server, peerSocket, options)
    // The package replies only while this is "open", which it is no more once the client has ended its side.
    Object.defineProperty(peerSocket, "readyState", { get: () => (peerSocket.writable ? "open" : "closed") })
    this.#pace = createPace(sessionOptions.idleMs, sessionOptions.clock.now())
  }

  /** Greets at once. The package waits 100 ms first, to catch clients that send before the greeting. */
  override init(): void {
    this._setListeners(() => {
      const { maxClients } = this._server.options
      const ofAddress = this.#count()
      if (ofAddress > this.sessionOptions.maxClientsPerAddress) {
        this.send(421, `${this.name} Too many connections from your address, try again later`, false)
        return
      }
      if (maxClients && this._server.connections.size > maxClients && !this.sessionOptions.endIdlest()) {
        this.send(421, `${this.name} Too many connections, try again later`, false)
        return
      }
      this.connectionReady()
    })
  }

  /** A text with an enhanced status code is sent unchanged; the package adds one to others. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    super.send(code, data, typeof data === "string" && hasOwnStatus(data) ? false : context)
  }

  /** Whether no reply is pending and no message is partly received. */
  get idle(): boolean {
    return !this._handlerPending && !this.receiving
  }

  /** Whether a message is partly received. */
  get receiving(): boolean {
    return this.#stream?.receiving ?? false
  }

  /** Milliseconds without progress. */
  get restMs(): number {
    return this.#pace.restMs(this.#done(), this.sessionOptions.clock.now())
  }

  get isTooSlow(): boolean {
    return this.#pace.isTooSlow(this.#done(), this.sessionOptions.clock.now())
  }

  /** Asks the client to try again later, and closes the connection. */
  dismiss(): void {
    this.send(421, "4.4.2 Too slow, closing the connection")
    this.close()
  }

  #done(): Done {
    const { bytes = 0, receiving = false, held = 0 } = this.#stream ?? {}
    return { waiting: this._handlerPending, receiving, bytes, commands: this.#commands, held }
  }

  // Called by the constructor of the base class, before the fields of this class are set.
  override _createParser(): SessionStream {
    const stream = new SessionStream(() => this._socket)
    stream.oncommand = (command, callback) => {
      this.#commands++
      this._onCommand(command, callback)
    }
    // After the replies to what came before the client ended its side.
    stream.on("finish", () => this.close())
    stream.on("error", (error) => {
      const fault = error instanceof WireFault ? error : new WireFault(421, "4.3.0 Internal error")
      this.send(fault.code, fault.message)
      this.close()
    })
    return stream
  }

  /** Not within a message, whose recipients were judged without the login (RFC 4954, 4). */
  override handler_AUTH(command: Buffer, callback: () => void): void {
    if (!this.session.envelope.mailFrom) {
      super.handler_AUTH(command, callback)
      return
    }
    this.send(503, "5.5.1 Log in before MAIL FROM")
    callback()
  }

  /** The package refuses this parameter without TLS in words of its own, although it is not offered with TLS either. */
  override _validateMailParams(parsed: Parameters<SMTPConnection["_validateMailParams"]>[0]) {
    const { REQUIRETLS: _, ...args } = parsed.args || {}
    return super._validateMailParams({ ...parsed, args })
  }

  override handler_DATA(_command: Buffer, callback: () => void): void {
    const stream = this.#stream
    if (stream === undefined || this.session.envelope.rcptTo.length === 0) {
      this.send(503, "5.5.1 Say RCPT first")
      callback()
      return
    }
    const body = new MessageBody(this.sessionOptions.maxBytes, this.#memory(), this.#declaredSize())
    stream.collect(body, (resume) => this.#finish(body, resume))
    this.send(354, "End data with <CR><LF>.<CR><LF>")
    callback()
  }

  /** Stalled messages are dropped for new ones: they could hold all of the memory for days. */
  #memory(): MemoryBudget {
    const { memory, endIdlestMessage } = this.sessionOptions
    return {
      take: (bytes) => {
        while (!memory.take(bytes)) if (!endIdlestMessage(this)) return false
        return true
      },
      release: memory.release,
    }
  }

  #count(): number {
    this.#counted = this.sessionOptions.clients.enter(this.peerSocket.remoteAddress ?? "")
    return this.#counted.count
  }

  /** The reply to STARTTLS leaves before the socket belongs to TLS. */
  override upgrade(callback: () => void, secureCallback?: () => void): void {
    this._socket.uncork()
    super.upgrade(callback, secureCallback)
  }

  override close(): void {
    this.#counted?.leave()
    this.#stream?.abandon()
    super.close()
    this.sessionOptions.closed()
  }

  override _onClose(): void {
    this.#counted?.leave()
    this.#stream?.abandon()
    super._onClose()
    this.sessionOptions.closed()
  }

  get #stream(): SessionStream | undefined {
    return this._parser instanceof SessionStream ? this._parser : undefined
  }

  #declaredSize(): number {
    const { mailFrom } = this.session.envelope
    const given = mailFrom ? mailFrom.args : false
    return given ? Number(given.SIZE ?? 0) || 0 : 0
  }

  #finish(body: MessageBody, resume: () => void): void {
    if (body.refusal) {
      this.#conclude(refusals[body.refusal], resume)
      return
    }
    // The idle timeout applies only while we wait for input of the client.
    this._handlerPending = true
    this.sessionOptions.deliver(this.session, body.content()).then((reply) => {
      this._handlerPending = false
      body.release()
      this.#conclude(reply, resume)
    })
  }

  #conclude(reply: Reply, resume: () => void): void {
    this.send(reply.code, reply.text)
    this._transactionCounter++
    this._unrecognizedCommands = 0
    this._resetSession()
    if (this.sessionOptions.stopping()) this.send(421, "4.3.2 Shutting down")
    resume()
  }
}
