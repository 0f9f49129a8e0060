import net from "node:net"
import tls from "node:tls"

export interface SmtpReply {
  readonly code: number
  /** Without code and separator. */
  readonly lines: readonly string[]
  /** The last line, code included. */
  readonly text: string
}

/** A client that sends exactly the given bytes, valid or not. */
export interface SmtpClient {
  /** The next reply of the server; rejects when the connection ends before one. */
  reply(): Promise<SmtpReply>
  /** Sends bytes as they are. A string is sent as UTF-8. */
  send(bytes: string | Uint8Array): void
  /** Sends one line with CRLF and reads one reply. */
  say(line: string): Promise<SmtpReply>
  /** EHLO, MAIL and RCPT for each recipient. Resolves with the last reply. */
  envelope(from: string, ...recipients: string[]): Promise<SmtpReply>
  /** DATA, the content as it is (stuff it yourself), CRLF.CRLF. Resolves with the reply to the message, or to a refused DATA. */
  data(content: string | Uint8Array): Promise<SmtpReply>
  /** STARTTLS and the handshake; accepts any certificate. `behind` is sent unencrypted right after the command. */
  startTls(behind?: string): Promise<void>
  /** Resolves once the connection is closed. */
  readonly closed: Promise<void>
  /** Sends no more (FIN). */
  end(): void
  /** Drops the connection. */
  drop(): void
  /** The same without a farewell (RST). */
  reset(): void
}

export interface SmtpClientOptions {
  /** TLS from the first byte. */
  readonly secure?: boolean
  /** The address to connect from, one of this machine. */
  readonly from?: string
}

/** Connects and reads nothing yet: the greeting is the first `reply()`. */
export async function connectSmtp(port: number, options: SmtpClientOptions = {}): Promise<SmtpClient> {
  const to = { port, host: "127.0.0.1", localAddress: options.from }
  let socket: net.Socket = await new Promise((resolve, reject) => {
    const made: net.Socket = options.secure
      ? tls.connect({ socket: net.connect(to), rejectUnauthorized: false }, () => resolve(made))
      : net.connect(to, () => resolve(made))
    made.once("error", reject)
  })
  const replies: SmtpReply[] = []
  const waiting: { resolve(reply: SmtpReply): void; reject(reason: Error): void }[] = []
  let over = false
  let end = () => {}
  const closed = new Promise<void>((resolve) => {
    end = resolve
  })

  const onClose = () => {
    over = true
    for (const { reject } of waiting.splice(0)) reject(new Error("the connection was closed"))
    end()
  }
  const listen = () => {
    const read = replyReader((reply) => {
      const next = waiting.shift()
      if (next) next.resolve(reply)
      else replies.push(reply)
    })
    socket.on("data", read)
    socket.on("error", () => {})
    socket.on("close", onClose)
  }
  listen()

  const client: SmtpClient = {
    reply() {
      const ready = replies.shift()
      if (ready) return Promise.resolve(ready)
      if (over) return Promise.reject(new Error("the connection was closed"))
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    send: (bytes) => {
      socket.write(bytes)
    },
    say(line) {
      client.send(`${line}\r\n`)
      return client.reply()
    },
    async envelope(from, ...recipients) {
      await client.say("EHLO client.test")
      let last = await client.say(`MAIL FROM:<${from}>`)
      for (const recipient of recipients) last = await client.say(`RCPT TO:<${recipient}>`)
      return last
    },
    async data(content) {
      const go = await client.say("DATA")
      if (go.code !== 354) return go
      client.send(content)
      client.send("\r\n.\r\n")
      return client.reply()
    },
    async startTls(behind = "") {
      client.send(`STARTTLS\r\n${behind}`)
      const go = await client.reply()
      if (go.code !== 220) throw new Error(`STARTTLS was refused: ${go.text}`)
      const plain = socket
      plain.removeAllListeners("data")
      plain.removeAllListeners("close")
      socket = await new Promise((resolve, reject) => {
        const made = tls.connect({ socket: plain, rejectUnauthorized: false }, () => resolve(made))
        made.once("error", reject)
      })
      listen()
    },
    closed,
    end: () => {
      socket.end()
    },
    drop: () => {
      socket.destroy()
    },
    reset: () => {
      socket.resetAndDestroy()
    },
  }
  return client
}

/** Splits the bytes of a server into replies, which may have several lines (RFC 5321, 4.2.1). */
function replyReader(found: (reply: SmtpReply) => void): (chunk: Buffer) => void {
  let pending = ""
  let lines: string[] = []
  return (chunk) => {
    pending += chunk.toString()
    for (let end = pending.indexOf("\r\n"); end >= 0; end = pending.indexOf("\r\n")) {
      const line = pending.slice(0, end)
      pending = pending.slice(end + 2)
      lines.push(line.slice(4))
      if (line[3] === "-") continue
      found({ code: Number(line.slice(0, 3)), lines, text: line })
      lines = []
    }
  }
}
