import { connect } from "node:net"
import type { Query, RecordType, Reply } from "./message.ts"
import type { Server } from "./servers.ts"

/** `silent`: no valid answer arrived until the signal aborted. `unreachable`: the server cannot be reached. */
export type Outcome<T extends RecordType> = Reply<T> | { readonly kind: "silent" } | { readonly kind: "unreachable" }

/**
 * One datagram from its own port, connected to the server, so that the system drops datagrams of others and reports a
 * closed port. Datagrams that do not answer the query are ignored, since anyone can forge one.
 */
export function askByDatagram<T extends RecordType>(
  { host, port }: Server,
  query: Query<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  return once(signal, (end) => {
    // It throws synchronously when there is no route, for example without a network.
    const open = async () =>
      Bun.udpSocket({
        hostname: host.includes(":") ? "::" : "0.0.0.0",
        connect: { hostname: host, port },
        socket: {
          data(_, bytes) {
            const reply = query.read(bytes)
            if (reply) end(reply)
          },
          error: () => end({ kind: "unreachable" }),
        },
      })
    const opening = open()
    opening.then((socket) => signal.aborted || socket.send(query.bytes)).catch(() => end({ kind: "unreachable" }))
    return () => void opening.then((socket) => socket.close()).catch(() => {})
  })
}

/** One query over its own connection, each message preceded by its length (RFC 7766, 8). */
export function askByConnection<T extends RecordType>(
  { host, port }: Server,
  query: Query<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  return once(signal, (end) => {
    const socket = connect({ host, port })
    let received: Buffer = Buffer.alloc(0)
    socket.on("connect", () => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(query.bytes.length)
      socket.write(Buffer.concat([length, query.bytes]))
    })
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
      end(query.read(received.subarray(2, 2 + received.readUInt16BE())) ?? { kind: "unreachable" })
    })
    socket.on("error", () => end({ kind: "unreachable" }))
    socket.on("close", () => end({ kind: "unreachable" }))
    return () => socket.destroy()
  })
}

/** Runs until the first result, or until the signal aborts; then closes what `open` opened. */
function once<T extends RecordType>(
  signal: AbortSignal,
  open: (end: (outcome: Outcome<T>) => void) => () => void,
): Promise<Outcome<T>> {
  if (signal.aborted) return Promise.resolve({ kind: "silent" })
  return new Promise((resolve) => {
    const end = (outcome: Outcome<T>) => {
      signal.removeEventListener("abort", giveUp)
      resolve(outcome)
      close()
    }
    const giveUp = () => end({ kind: "silent" })
    signal.addEventListener("abort", giveUp, { once: true })
    const close = open(end)
  })
}
