import type net from "node:net"
import tls from "node:tls"
import { testCertificate } from "./certificate.ts"
import type { SinkOptions, SinkStage, SinkStep, SmtpSink } from "./smtp-sink.ts"

/** The state shared by all conversations. */
interface SessionContext {
  readonly options: SinkOptions
  readonly sink: SmtpSink
  stepAt(stage: SinkStage, about?: string): SinkStep | undefined
}

/** Talks SMTP with one client. */
export function converse(first: net.Socket, { options, sink, stepAt }: SessionContext): void {
  let socket = first
  let secure = options.tls === "implicit"
  let pending = Buffer.alloc(0)
  let deaf = false
  let user: string | null = null
  let begun = 0
  let envelope: { from: string; to: string[]; parameters: string } | undefined
  /** `wanted`: the octets of a chunk (RFC 3030); without it the content ends with a dot. */
  let body: { chunks: Buffer[]; size: number; tail: Buffer; step: SinkStep | undefined; wanted?: number } | undefined

  /** Performs the scripted step, or else replies; returns whether what the command asks for is done. */
  function act(step: SinkStep | undefined, duty: string, does = true): boolean {
    if (step === "hang") deaf = true
    else if (step === "close") socket.destroy()
    else if (typeof step === "object" && "says" in step) socket.write(step.says)
    else if (typeof step === "string" && /^\d/.test(step)) reply(step)
    else reply(duty)
    return step === undefined ? does : typeof step === "string" && /^[23]/.test(step)
  }

  function reply(line: string): void {
    if (line.startsWith("421")) socket.end(`${line}\r\n`)
    else socket.write(`${line}\r\n`)
  }

  function onLine(line: string): void {
    sink.commands.push(line)
    const verb = line.split(/[ :]/, 1)[0]?.toUpperCase()
    if (verb === "EHLO") act(stepAt("ehlo", line), greeting())
    else if (verb === "HELO") act(stepAt("helo", line), "250 sink.test")
    else if (verb === "STARTTLS") startTls()
    else if (verb === "AUTH") logIn(line)
    else if (verb === "MAIL") {
      const [, from = "", parameters = ""] = /<(.*)>\s*(.*)$/.exec(line) ?? []
      if (envelope) reply("503 5.5.1 one at a time")
      else if (++begun > (options.messagesPerConnection ?? Number.POSITIVE_INFINITY))
        reply("421 4.7.0 too many messages")
      else if (act(stepAt("mail", line), "250 2.1.0 sender fine")) envelope = { from, to: [], parameters }
    } else if (verb === "RCPT") {
      if (!envelope) reply("503 5.5.1 no sender")
      else if (act(stepAt("rcpt", line), "250 2.1.5 recipient fine")) envelope.to.push(/<(.*)>/.exec(line)?.[1] ?? "")
    } else if (verb === "DATA") startBody()
    else if (verb === "BDAT") startChunk(Number(line.split(" ")[1]))
    else if (verb === "RSET") {
      if (act(stepAt("rset", line), "250 2.0.0 reset")) envelope = undefined
    } else if (verb === "QUIT") socket.end("221 2.0.0 bye\r\n")
    else reply("502 5.5.2 what?")
  }

  function greeting(): string {
    const extensions = [...(options.extensions ?? ["PIPELINING", "8BITMIME", "SMTPUTF8", "SIZE 50000000"])]
    if (options.tls === "offered" && !secure) extensions.push("STARTTLS")
    if (options.login) extensions.push("AUTH PLAIN")
    const lines = ["sink.test", ...extensions]
    return lines.map((line, index) => `250${index === lines.length - 1 ? " " : "-"}${line}`).join("\r\n")
  }

  function startTls(): void {
    const step = options.tls === "offered" ? stepAt("starttls") : "502 5.5.1 no TLS here"
    if (step === "noise") reply("220 2.0.0 go ahead\r\nthis is no handshake")
    if (step === "noise" || !act(step, "220 2.0.0 go ahead")) return
    socket.removeAllListeners("data")
    socket = new tls.TLSSocket(first, { isServer: true, ...testCertificate })
    socket.on("error", () => {})
    secure = true
    socket.on("data", onData)
  }

  function logIn(line: string): void {
    const [, name = "", password] = Buffer.from(line.split(" ")[2] ?? "", "base64")
      .toString()
      .split("\0")
    const right = options.login?.user === name && options.login.password === password
    if (act(stepAt("auth"), right ? "235 2.7.0 welcome" : "535 5.7.8 wrong user or password")) user = name
  }

  function startBody(): void {
    const recipients = envelope?.to ?? []
    if (act(stepAt("data"), recipients.length > 0 ? "354 go on" : "503 5.5.1 no recipient", recipients.length > 0))
      body = { chunks: [], size: 0, tail: Buffer.from("\r\n"), step: stepAt("body", recipients.join()) }
  }

  /** A client sends the octets behind the command whatever the server says to it. */
  function startChunk(wanted: number): void {
    body = { chunks: [], size: 0, tail: Buffer.alloc(0), step: stepAt("body", envelope?.to.join()), wanted }
    if (wanted === 0) onBody(Buffer.alloc(0))
  }

  function onBody(chunk: Buffer): void {
    if (!body || body.step === "hang") return
    const { step, chunks, size, tail } = body
    const seen = Buffer.concat([tail, chunk])
    const end = seen.indexOf("\r\n.\r\n")
    body = { ...body, chunks: [...chunks, chunk], size: size + chunk.length, tail: seen.subarray(-4) }
    if (step === "close" || (typeof step === "object" && "closeAfter" in step && body.size >= step.closeAfter)) {
      socket.destroy()
    } else if (typeof step === "string") {
      reply(step)
      body.step = "hang"
    } else if (body.wanted !== undefined) {
      if (body.size < body.wanted) return
      const all = Buffer.concat(body.chunks)
      const rest = all.subarray(body.wanted)
      finish(all.subarray(0, body.wanted))
      onData(rest)
    } else if (end >= 0) {
      // `tail` begins with a line end that is not part of the body.
      const stuffed = Buffer.concat(body.chunks).subarray(0, size - tail.length + end + 2)
      finish(Buffer.from(stuffed.toString("latin1").replace(/(^|\r\n)\./g, "$1"), "latin1"))
      onData(seen.subarray(end + 5))
    }
  }

  function finish(raw: Buffer): void {
    const message = { from: "", to: [] as string[], parameters: "", ...envelope, raw, secure, user }
    body = undefined
    envelope = undefined
    if (message.to.length === 0) reply("554 5.5.1 no valid recipients")
    else if (act(stepAt("dot", message.to.join()), "250 2.0.0 queued as 1A2B")) sink.messages.push(message)
  }

  function onData(chunk: Buffer): void {
    if (deaf) return
    if (body) onBody(chunk)
    else {
      pending = Buffer.concat([pending, chunk])
      readLines()
    }
  }

  function readLines(): void {
    for (let at = pending.indexOf("\r\n"); at >= 0 && !deaf; at = pending.indexOf("\r\n")) {
      const line = pending.subarray(0, at).toString()
      pending = pending.subarray(at + 2)
      onLine(line)
      if (body === undefined) continue
      const rest = pending
      pending = Buffer.alloc(0)
      if (rest.length > 0) onBody(rest)
    }
  }

  socket.on("data", onData)
  act(stepAt("connect"), "220 sink.test ready")
}
