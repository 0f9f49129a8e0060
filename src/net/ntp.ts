import dgram from "node:dgram"
import { isIP } from "node:net"
import type { Clock } from "../kernel/clock.ts"

export interface NtpServer {
  readonly address: string
  readonly port: number
}

/** From 1900 to 1970, in seconds. */
const epochSeconds = 2_208_988_800

/**
 * By how much the clock is ahead of that of a server, in ms, by one exchange of SNTP (RFC 4330, 5); undefined when there is
 * no good answer before `abort`.
 */
export function clockOffset(
  { address, port }: NtpServer,
  clock: Clock,
  abort: AbortSignal,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket(isIP(address) === 6 ? "udp6" : "udp4")
    let isOpen = true
    const end = (offset?: number) => {
      abort.removeEventListener("abort", giveUp)
      resolve(offset)
      if (isOpen) socket.close()
      isOpen = false
    }
    const giveUp = () => end()
    if (abort.aborted) return giveUp()
    abort.addEventListener("abort", giveUp, { once: true })
    const request = Buffer.alloc(48)
    request[0] = 0x23 // version 4, client
    const sentAt = clock.now()
    writeTime(request, 40, sentAt)
    socket.on("error", giveUp)
    socket.on("message", (answer) => {
      const isAnswer = answer.length >= 48 && ((answer[0] ?? 0) & 7) === 4 && (answer[1] ?? 0) > 0
      // The server returns our sending time, which nobody can know exactly without having seen the request.
      if (!isAnswer || !answer.subarray(24, 32).equals(request.subarray(40, 48))) return
      const receivedAt = clock.now()
      end(Math.round((sentAt + receivedAt) / 2 - (readTime(answer, 32) + readTime(answer, 40)) / 2))
    })
    // A connected socket reports a closed port; without a route, connecting itself fails.
    socket.connect(port, address, (fault?: Error) => {
      if (fault) return giveUp()
      socket.send(request, (fault) => {
        if (fault) giveUp()
      })
    })
  })
}

function writeTime(buffer: Buffer, at: number, ms: number): void {
  buffer.writeUInt32BE((Math.floor(ms / 1_000) + epochSeconds) % 2 ** 32, at)
  buffer.writeUInt32BE(Math.floor(((ms % 1_000) / 1_000) * 2 ** 32), at + 4)
}

/** Times from 2036 on begin at 0 again (RFC 4330, 3). */
function readTime(buffer: Buffer, at: number): number {
  const seconds = buffer.readUInt32BE(at)
  const era = seconds < 2 ** 31 ? 2 ** 32 : 0
  return (seconds + era - epochSeconds) * 1_000 + (buffer.readUInt32BE(at + 4) / 2 ** 32) * 1_000
}
