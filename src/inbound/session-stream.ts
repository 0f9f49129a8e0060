import type { Writable } from "node:stream"
import { SMTPStream } from "smtp-server/lib/smtp-stream.js"
import type { MessageBody } from "./message-body.ts"

const CR = 13
const LF = 10

/** Longest command line, AUTH with a long token included (RFC 4954, 4). */
const maxCommandBytes = 12_288

/** A fault that ends the connection: the client gets this reply first. */
export class WireFault extends Error {
  constructor(
    readonly code: number,
    text: string,
  ) {
    super(text)
    this.name = "WireFault"
  }
}

/**
 * Splits the bytes of a connection into command lines, as the package does, and complete messages. Command lines end
 * only with CRLF: a bare LF is a fault, so that an upstream relay cannot be made to see other lines than we do (SMTP
 * smuggling). Faults are emitted as `error`, always a WireFault.
 */
export class SessionStream extends SMTPStream {
  #body: MessageBody | undefined
  #complete: ((resume: () => void) => void) | undefined
  /** The byte before the next chunk of commands; LF at the start of a line. */
  #before = LF

  /** @param replies where the replies go, at this moment: those to commands that came together leave together */
  constructor(private readonly replies: () => Pick<Writable, "cork" | "uncork">) {
    super({ maxCommandLength: maxCommandBytes })
  }

  /**
   * From the next byte on, input belongs to `body`. `complete` is called once at its end; commands after it wait until
   * `resume` is called.
   */
  collect(body: MessageBody, complete: (resume: () => void) => void): void {
    this.#body = body
    this.#complete = complete
    this._dataMode = true
  }

  /** Bytes of commands and messages that have come. */
  bytes = 0

  /** True while a message is being received. */
  get receiving(): boolean {
    return this._dataMode
  }

  /** Bytes of the message that is being received. */
  get held(): number {
    return this.#body?.size ?? 0
  }

  /** Drops an incomplete message. */
  abandon(): void {
    this.#body?.release()
    this.#body = undefined
    this.#complete = undefined
  }

  override _write(chunk: Buffer, encoding: BufferEncoding | "buffer", next: (error?: Error | null) => void): void {
    // Bytes after the end of a message are written here again, so they count twice.
    this.bytes += chunk.length
    if (!this._dataMode && !this.isClosed) {
      if (hasBareLineFeed(chunk, this.#before)) {
        next(new WireFault(500, "5.5.2 Lines end with CRLF"))
        return
      }
      this.#before = chunk.at(-1) ?? this.#before
    }
    const replies = this.replies()
    replies.cork()
    try {
      super._write(chunk, encoding, next)
    } finally {
      replies.uncork()
    }
  }

  override _feedDataStream(chunk: Buffer, next: (error?: Error | null) => void): void {
    const body = this.#body
    const complete = this.#complete
    const end = body?.push(chunk) ?? -1
    if (body === undefined || complete === undefined || end < 0) {
      next(body?.flooding ? new WireFault(552, "5.3.4 Message too large") : null)
      return
    }
    this.#body = undefined
    this.#complete = undefined
    this.#before = LF
    this._dataMode = false
    complete(() => this._write(chunk.subarray(end), "buffer", next))
  }

  override _commandTooLong(): Error {
    super._commandTooLong()
    return new WireFault(500, "5.5.6 Line too long")
  }

  /** A line that was incomplete when the connection closed is not a command. */
  override _flushData(): void {}
}

function hasBareLineFeed(chunk: Buffer, before: number): boolean {
  for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) {
    if ((at === 0 ? before : chunk[at - 1]) !== CR) return true
  }
  return false
}
