import type net from "node:net"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js"
import { isWithin, second } from "../kernel/clock.ts"
import { createClientCounts } from "./client-counts.ts"
import { Conversation, type SessionOptions } from "./conversation.ts"

/** How long a client may take for the handshake where TLS comes first. */
const handshakeMs = 10 * second

/**
 * The package's server with our kind of connection. With implicit TLS a connection becomes a conversation only after
 * the handshake: until then it is counted and timed here, so that silent clients do not lock others out.
 */
export class ConversationServer extends SMTPServer {
  readonly #handshaking = createClientCounts()
  /** The time at which each connection was opened. */
  readonly #since = new Map<net.Socket, number>()

  constructor(
    options: SMTPServerOptions,
    private readonly sessionOptions: SessionOptions,
  ) {
    super(options)
  }

  override connect(socket: net.Socket, options?: SMTPConnectionOptions | null): void {
    const conversation = new Conversation(this, socket, options, this.sessionOptions)
    this.connections.add(conversation)
    conversation.on("error", (error) => this._onError(error))
    conversation.init()
  }

  override _acceptSocket(socket: net.Socket, handshake: boolean): (() => void) | false {
    if (!handshake) return super._acceptSocket(socket, handshake)
    const { clock, maxClientsPerAddress } = this.sessionOptions
    const counted = this.#handshaking.enter(socket.remoteAddress ?? "")
    const leave = () => {
      counted.leave()
      this.#since.delete(socket)
    }
    // Before the handshake no reply can be sent.
    if (counted.count > maxClientsPerAddress) socket.destroy()
    const release = socket.destroyed ? false : super._acceptSocket(socket, handshake)
    if (release === false) {
      leave()
      return false
    }
    this.#since.set(socket, clock.now())
    socket.once("close", leave)
    return () => {
      leave()
      release()
    }
  }

  /** Ends the connections whose handshake takes too long. */
  endLateHandshakes(): void {
    const now = this.sessionOptions.clock.now()
    for (const [socket, since] of this.#since)
      if (!isWithin(handshakeMs, now, since)) this._pendingSockets.get(socket)?.destroy()
  }
}
