import dgram from "node:dgram"
import { day } from "../../src/kernel/clock.ts"

/**
 * A time server on 127.0.0.1 whose clock is that of `now`. With `isForged` an answer of somebody who has not seen the
 * request, and is a day off, comes first.
 */
export async function startNtpServer(now: () => number, { isForged = false } = {}) {
  const socket = dgram.createSocket("udp4")
  socket.on("message", (request, { port, address }) => {
    if (isForged) socket.send(answerAt(now() + day), port, address)
    const answer = answerAt(now())
    request.copy(answer, 24, 40, 48)
    socket.send(answer, port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  const stop = () => new Promise<void>((done) => socket.close(() => done()))
  return { address: "127.0.0.1", port: socket.address().port, stop }
}

function answerAt(ms: number): Buffer {
  const answer = Buffer.alloc(48)
  answer[0] = 0x24
  answer[1] = 2
  for (const at of [32, 40]) {
    answer.writeUInt32BE((Math.floor(ms / 1_000) + 2_208_988_800) % 2 ** 32, at)
    answer.writeUInt32BE(Math.floor(((ms % 1_000) / 1_000) * 2 ** 32), at + 4)
  }
  return answer
}
