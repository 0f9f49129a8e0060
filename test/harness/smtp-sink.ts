import net from "node:net"
import tls from "node:tls"
import { testCertificate } from "./certificate.ts"
import { converse } from "./smtp-sink-session.ts"

const sinkStages = [
  "connect",
  "ehlo",
  "helo",
  "starttls",
  "auth",
  "mail",
  "rcpt",
  "data",
  "body",
  "dot",
  "rset",
] as const
export type SinkStage = (typeof sinkStages)[number]

/**
 * What the server does at a stage instead of its normal action: a given reply (a 421 also closes), silence from then
 * on, closing, closing after this many octets of a body, noise instead of a TLS handshake, or any octets as they are.
 * With a chunk (BDAT) the stage `dot` is its end.
 */
export type SinkStep =
  | `${2 | 3 | 4 | 5}${string}`
  | "hang"
  | "close"
  | "noise"
  | { readonly closeAfter: number }
  | { readonly says: string }

/** One step for every client, or one chosen by the command line; in `body` and `dot` by the recipients. */
export type SinkRule = SinkStep | ((about: string) => SinkStep | undefined)

interface SinkMessage {
  readonly from: string
  readonly to: readonly string[]
  /** After the address in MAIL FROM. */
  readonly parameters: string
  readonly raw: Buffer
  readonly secure: boolean
  readonly user: string | null
}

export interface SinkOptions {
  readonly tls?: "offered" | "implicit"
  /** Offers AUTH PLAIN and accepts this login. */
  readonly login?: { readonly user: string; readonly password: string }
  readonly extensions?: readonly string[]
  /** Answers 421 to a message beyond. */
  readonly messagesPerConnection?: number
}

/** A scriptable mail server on 127.0.0.1. */
export interface SmtpSink {
  readonly port: number
  /** Accepted ones, in order of arrival. */
  readonly messages: SinkMessage[]
  /** Every line a client sent outside a body, in order, over all connections. */
  readonly commands: string[]
  /** Connections so far, and those open now. */
  readonly connections: { total: number; open: number }
  /** The next times the stage is reached, one step each. */
  next(stage: SinkStage, ...steps: SinkStep[]): void
  /** Forgets the steps that are left. */
  clear(): void
  /** Applies whenever the stage is reached and no `next` is left; undefined restores the normal action. */
  always(stage: SinkStage, rule: SinkRule | undefined): void
  /** Resolves when a client has reached the stage as often as this from now on. */
  reached(stage: SinkStage, times?: number): Promise<void>
  /** Stops listening and drops every connection. */
  stop(): Promise<void>
  /** Starts again on the same port. */
  start(): Promise<void>
}

export async function startSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const queued = new Map<SinkStage, SinkStep[]>()
  const standing = new Map<SinkStage, SinkRule>()
  const watchers: { stage: SinkStage; left: number; resolve: () => void }[] = []
  const sockets = new Set<net.Socket>()
  let server: net.Server | undefined
  let port = 0

  const sink: SmtpSink = {
    get port() {
      return port
    },
    messages: [],
    commands: [],
    connections: { total: 0, open: 0 },
    next: (stage, ...steps) => void queued.set(stage, [...(queued.get(stage) ?? []), ...steps]),
    clear: () => queued.clear(),
    always: (stage, rule) => void (rule === undefined ? standing.delete(stage) : standing.set(stage, rule)),
    reached: (stage, times = 1) => new Promise((resolve) => watchers.push({ stage, left: times, resolve })),
    async stop() {
      const stopped = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
      for (const socket of sockets) socket.destroy()
      await stopped
    },
    async start() {
      server = options.tls === "implicit" ? tls.createServer(testCertificate, accept) : net.createServer(accept)
      await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve))
      const address = server.address()
      port = typeof address === "object" && address ? address.port : 0
    },
  }

  function stepAt(stage: SinkStage, about = ""): SinkStep | undefined {
    for (const watcher of watchers.filter((one) => one.stage === stage)) {
      if (--watcher.left === 0) watcher.resolve()
    }
    const rule = standing.get(stage)
    return queued.get(stage)?.shift() ?? (typeof rule === "function" ? rule(about) : rule)
  }

  function accept(socket: net.Socket): void {
    sockets.add(socket)
    sink.connections.total++
    sink.connections.open++
    socket.on("error", () => {})
    socket.on("close", () => {
      sockets.delete(socket)
      sink.connections.open--
    })
    converse(socket, { options, sink, stepAt })
  }

  await sink.start()
  return sink
}
