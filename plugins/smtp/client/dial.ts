import { lookup } from "node:dns/promises"
import net from "node:net"
import tls from "node:tls"
import { orAbort } from "../../../src/kernel/abort.ts"
import { SmtpFailure, socketFailure } from "../failure.ts"
import type { SmtpOptions } from "../options.ts"

let turn = 0

/**
 * A connection to the host, without TLS. Its addresses are tried one after another, beginning with another one each time,
 * so that connections spread over them. Rejects with an `SmtpFailure` or the signal's reason.
 */
export async function dial({ host, port, connectMs }: SmtpOptions, signal: AbortSignal): Promise<net.Socket> {
  const found = await orAbort(addressesOf(host), signal)
  const first = turn++ % found.length
  const addresses = [...found.slice(first), ...found.slice(0, first)]
  let problem = new SmtpFailure("closed", "the host name has no address")
  for (const address of addresses) {
    try {
      return await connected(net.connect({ host: address, port }), "connect", connectMs / addresses.length, signal)
    } catch (cause) {
      if (signal.aborted) throw cause
      problem = socketFailure(cause)
    }
  }
  throw problem
}

/** By the system, as for any other program: its hosts file and its servers. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (net.isIP(host) !== 0) return [host]
  try {
    const found = await lookup(host, { all: true })
    if (found.length > 0) return found.map(({ address }) => address)
  } catch (cause) {
    const { code = String(cause) } = cause as { code?: string }
    throw new SmtpFailure("closed", `the host name is not found (${code})`)
  }
  throw new SmtpFailure("closed", "the host name is not found (it has no address)")
}

/** TLS on a connection, with the certificate verified for the host unless any is accepted. Rejects like `dial`. */
export function withTls(socket: net.Socket, options: SmtpOptions, signal: AbortSignal): Promise<net.Socket> {
  const { host, insecure, connectMs } = options
  const named = net.isIP(host) === 0 ? { servername: host } : {}
  const secured = tls.connect({ socket, host, ...named, rejectUnauthorized: !insecure })
  return connected(secured, "secureConnect", connectMs, signal)
}

async function connected<T extends net.Socket>(
  socket: T,
  event: "connect" | "secureConnect",
  ms: number,
  signal: AbortSignal,
): Promise<T> {
  const ready = Promise.withResolvers<void>()
  const onClose = () => ready.reject(new SmtpFailure("closed", "the server closed the connection"))
  const late = setTimeout(() => ready.reject(new SmtpFailure("silent", "no connection in time")), ms)
  socket.once(event, ready.resolve)
  socket.on("error", ready.reject)
  socket.on("close", onClose)
  try {
    await orAbort(ready.promise, signal)
    socket.setNoDelay(true)
    return socket
  } catch (cause) {
    // Errors of a destroyed socket are ignored.
    socket.on("error", () => {})
    socket.destroy()
    throw cause
  } finally {
    clearTimeout(late)
    socket.removeListener(event, ready.resolve)
    socket.removeListener("error", ready.reject)
    socket.removeListener("close", onClose)
  }
}
