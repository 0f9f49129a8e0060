import net from "node:net"
import tls from "node:tls"
import { reasonOf } from "../kernel/log.ts"

/** Whether a connection can be made; undefined, or the reason why not. */
export function connectTo(host: string, port: number, abort: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port })
    settle(socket, abort, resolve)
    socket.once("connect", () => finish(socket, resolve, undefined))
  })
}

interface ServedCertificate {
  /** Why clients do not trust it; undefined when they do. */
  readonly fault: string | undefined
  /** In ms since the epoch. */
  readonly expiresAt: number
}

/** The certificate that a server shows for a name; the reason when there is none. */
export function certificateOf(host: string, port: number, abort: AbortSignal): Promise<ServedCertificate | string> {
  return new Promise((resolve) => {
    const servername = net.isIP(host) === 0 ? { servername: host } : {}
    const socket = tls.connect({ host, port, ...servername, rejectUnauthorized: false })
    settle(socket, abort, resolve)
    socket.once("secureConnect", () => {
      const { valid_to: until } = socket.getPeerCertificate()
      const fault = socket.authorized ? undefined : reasonOf(socket.authorizationError)
      finish(socket, resolve, { fault, expiresAt: Date.parse(until) })
    })
  })
}

function settle<T>(socket: net.Socket, abort: AbortSignal, resolve: (value: T | string) => void): void {
  const giveUp = () => finish(socket, resolve, "no connection in time")
  if (abort.aborted) giveUp()
  abort.addEventListener("abort", giveUp, { once: true })
  socket.once("error", (cause) => finish(socket, resolve, reasonOf(cause)))
}

function finish<T>(socket: net.Socket, resolve: (value: T) => void, value: T): void {
  // Errors after the result are ignored.
  socket.on("error", () => {})
  resolve(value)
  socket.destroy()
}
