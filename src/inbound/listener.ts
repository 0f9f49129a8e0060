import type net from "node:net"
import type { SMTPServerOptions } from "smtp-server"
import { minute, second } from "../kernel/clock.ts"
import { reasonOf } from "../kernel/log.ts"
import { memoryBudget } from "../kernel/memory-budget.ts"
import { createClientCounts } from "./client-counts.ts"
import { Conversation } from "./conversation.ts"
import { ConversationServer } from "./conversation-server.ts"
import { createHooks } from "./hooks.ts"
import { isReplaceable } from "./pace.ts"
import type { Receiver, SmtpListener, SmtpListenerOptions } from "./types.ts"

const defaultMaxBytes = 40 * 1024 * 1024
const defaultMaxClients = 200
const messagesInMemory = 4
const defaultIdleMs = 5 * minute
/** How often connections are looked at. */
const paceEveryMs = 5 * second

/**
 * An SMTP server (RFC 5321) that hands whole messages to the receiver. It knows the protocol and its limits, but not
 * the meaning of recipients and logins.
 */
export function createSmtpListener<Session>(options: SmtpListenerOptions, receiver: Receiver<Session>): SmtpListener {
  const { host, port, log, clock } = options
  if (options.auth !== "none" && receiver.authenticate === undefined) throw new Error("Nobody checks logins")
  const maxBytes = options.maxBytes ?? defaultMaxBytes
  const maxClients = options.maxClients ?? defaultMaxClients
  const idleMs = options.idleTimeoutMs ?? defaultIdleMs
  let hasCertificate = options.tls !== undefined
  const hooks = createHooks(options, receiver, () => hasCertificate)
  const ended = new AbortController()
  const sockets = new Set<net.Socket>()
  let stopping = false
  let allGone = () => {}

  const server = new ConversationServer(
    {
      name: options.hostname,
      banner: "Mailstead",
      heloResponse: "%s",
      size: maxBytes,
      maxRecipients: options.maxRecipients ?? 100,
      maxClients,
      socketTimeout: idleMs,
      allowHalfOpen: true,
      ...tlsOptions(options),
      authMethods: ["PLAIN", "LOGIN"],
      authOptional: true,
      allowInsecureAuth: true,
      hideENHANCEDSTATUSCODES: false,
      disableReverseLookup: true,
      // Mail comes from programs of all kinds; the receiver decides which addresses are valid.
      lenientAddressParsing: true,
      logger: false,
      onConnect: hooks.connect,
      onSecure: (_socket, session, callback) => hooks.connect(session, callback),
      onAuth: hooks.auth,
      onMailFrom: hooks.mailFrom,
      onRcptTo: hooks.recipient,
    },
    {
      maxBytes,
      memory: memoryBudget(options.maxBufferedBytes ?? messagesInMemory * maxBytes),
      clients: options.counts?.clients ?? createClientCounts(),
      maxClientsPerAddress: options.maxClientsPerAddress ?? Math.max(1, Math.ceil(maxClients / 4)),
      idleMs,
      clock,
      endIdlest: () => endIdlestOf(conversations()),
      endIdlestMessage: (but) => endIdlestOf(conversations().filter((one) => one.receiving && one !== but)),
      stopping: () => stopping,
      deliver: hooks.deliver,
      closed: () => {
        if (stopping && server.connections.size === 0) allGone()
      },
    },
  )
  server.server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    // A reset may arrive before the package listens for errors.
    socket.on("error", () => {})
  })

  const conversations = (): Conversation[] =>
    [...server.connections].filter((connection) => connection instanceof Conversation)

  /** Ends the one that has gone longest without progress, if any has for a while. */
  function endIdlestOf(some: Conversation[]): boolean {
    const [slowest] = some.sort((a, b) => b.restMs - a.restMs)
    if (slowest === undefined || !isReplaceable(slowest.restMs)) return false
    slowest.dismiss()
    return true
  }

  async function endSlow(): Promise<void> {
    for (;;) {
      await clock.sleep(paceEveryMs, ended.signal)
      if (ended.signal.aborted) return
      for (const conversation of conversations()) if (conversation.isTooSlow) conversation.dismiss()
      server.endLateHandshakes()
    }
  }

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once("error", reject)
        server.listen(port, host, () => {
          server.off("error", reject)
          server.on("error", (error) => log.debug("smtp connection failed", { reason: reasonOf(error) }))
          void endSlow()
          const bound = server.server.address()
          resolve({ port: bound !== null && typeof bound === "object" ? bound.port : port })
        })
      }),

    setCertificate({ cert, key }) {
      server.updateSecureContext({ cert, key, minVersion })
      server.options.hideSTARTTLS = false
      hasCertificate = true
    },

    async stop(graceMs) {
      stopping = true
      ended.abort()
      server.options.closeTimeout = Math.max(1, graceMs)
      await new Promise<void>((resolve) => {
        allGone = resolve
        server.close(resolve)
        for (const conversation of conversations()) if (conversation.idle) conversation.send(421, "4.3.2 Shutting down")
        // Sockets that the client has not closed yet would keep the server open for seconds.
        if (server.connections.size === 0) resolve()
      })
      for (const socket of sockets) socket.destroySoon()
    },
  }
}

const minVersion = "TLSv1.2"

function tlsOptions({ tls, secure }: SmtpListenerOptions): SMTPServerOptions {
  if (tls === undefined) return { secure: false, hideSTARTTLS: true }
  return { secure: secure ?? false, cert: tls.cert, key: tls.key, minVersion }
}
