import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"

export interface ApiCall {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** An answer, the end of the connection without one, or silence. */
export type ApiReply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | "close"
  | "hang"

/** A server of a provider's API on 127.0.0.1. */
export interface ApiServer {
  readonly url: string
  /** Every request, in order. */
  readonly calls: ApiCall[]
  /** The answer to the next requests for this path, one each, before anything else looks at them. */
  next(path: string, ...replies: (ApiReply | Promise<ApiReply>)[]): void
  /** Resolves when a request is met with silence from now on. */
  hung(): Promise<void>
  /** Stops listening and drops every connection. */
  stop(): Promise<void>
  /** Comes back on the same port. */
  start(): Promise<void>
}

export async function startApiServer(handle: (call: ApiCall) => ApiReply | Promise<ApiReply>): Promise<ApiServer> {
  const queued = new Map<string, (ApiReply | Promise<ApiReply>)[]>()
  const sockets = new Set<Socket>()
  const watchers: (() => void)[] = []
  const calls: ApiCall[] = []
  let server: Server | undefined
  let port = 0

  const start = async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const call: ApiCall = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers as ApiCall["headers"],
        body: Buffer.concat(parts).toString(),
      }
      calls.push(call)
      const reply = (await queued.get(call.path)?.shift()) ?? (await handle(call))
      if (reply === "hang") return void watchers.splice(0).map((resolve) => resolve())
      if (reply === "close") return void request.socket.destroy()
      const isText = typeof reply.body === "string"
      response.writeHead(reply.status, {
        "Content-Type": isText ? "text/xml" : "application/json",
        ...reply.headers,
      })
      response.end(isText ? reply.body : reply.body === undefined ? "" : JSON.stringify(reply.body))
    })
    server.on("connection", (socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve))
    const address = server.address()
    port = typeof address === "object" && address ? address.port : 0
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    next: (path, ...replies) => void queued.set(path, [...(queued.get(path) ?? []), ...replies]),
    hung: () => new Promise((resolve) => watchers.push(resolve)),
    async stop() {
      const stopped = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
      for (const socket of sockets) socket.destroy()
      server?.closeAllConnections?.()
      await stopped
    },
    start,
  }
}
