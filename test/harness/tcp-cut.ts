import net from "node:net"

/** Passes connections on to a port of 127.0.0.1, and cuts them where a test says. */
interface TcpCut extends AsyncDisposable {
  readonly port: number
  /** The next connection ends when this many octets have gone in that direction; later ones are whole. */
  cutNext(direction: Direction, octets: number): void
  /** From now on everything to the client comes octet by octet. */
  trickle(): void
  /** Octets of the last connection so far. */
  passed(direction: Direction): number
}

export type Direction = "toServer" | "toClient"

export async function startTcpCut(target: number): Promise<TcpCut> {
  const sockets = new Set<net.Socket>()
  let next: { direction: Direction; octets: number } | undefined
  let slow = false
  let passed: Record<Direction, number> = { toServer: 0, toClient: 0 }

  const server = net.createServer((client) => {
    const cut = next
    next = undefined
    const counts = { toServer: 0, toClient: 0 }
    passed = counts
    const remote = net.connect(target, "127.0.0.1")
    for (const socket of [client, remote]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on("error", () => {})
      socket.on("close", () => sockets.delete(socket))
    }
    const pass = (from: net.Socket, to: net.Socket, direction: Direction) => {
      let isCut = false
      const end = () => {
        isCut = true
        // Ended, not reset: the octets before the cut arrive.
        to.end()
        from.end()
      }
      if (cut?.direction === direction && cut.octets === 0) end()
      from.on("data", (bytes: Buffer) => {
        if (isCut) return
        const left = cut?.direction === direction ? cut.octets - counts[direction] : Number.POSITIVE_INFINITY
        const part = bytes.subarray(0, left)
        counts[direction] += part.length
        if (slow && direction === "toClient") void octetByOctet(part, to)
        else to.write(part)
        if (part.length === left) end()
      })
      from.on("end", () => to.end())
      from.on("close", () => to.destroy())
    }
    pass(client, remote, "toServer")
    pass(remote, client, "toClient")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    cutNext: (direction, octets) => {
      next = { direction, octets }
    },
    trickle: () => {
      slow = true
    },
    passed: (direction) => passed[direction],
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function octetByOctet(bytes: Uint8Array, to: net.Socket): Promise<void> {
  for (const octet of bytes) {
    to.write(Uint8Array.of(octet))
    await new Promise(setImmediate)
  }
}
