import type { MemoryBudget } from "../kernel/memory-budget.ts"

const CR = 13
const LF = 10
const DOT = 46
const stuffedLine = Buffer.from("\r\n.")

const firstAllocation = 16 * 1024
const largestFirstAllocation = 256 * 1024

/** The reader's state between two bytes. A dot that may end the message is withheld. */
type State = "text" | "cr" | "lineStart" | "dot" | "dotCr"

/**
 * Collects one DATA payload into one buffer (RFC 5321, 4.5.2). Only CRLF.CRLF ends it, or .CRLF as its very first
 * bytes; a line starts only after CRLF; the first dot of a line is dropped. The division into chunks does not matter.
 */
export class MessageBody {
  /** Why the content was discarded, if it was. */
  refusal: "too_large" | "out_of_memory" | undefined
  #state: State = "lineStart"
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0
  #discarded = 0

  constructor(
    private readonly maxBytes: number,
    private readonly memory: MemoryBudget,
    /** Declared size, 0 when unknown. A client may lie. */
    private readonly declaredBytes: number,
  ) {}

  /** Takes the next bytes. Returns the offset after the end of the message, or -1 while it continues. */
  push(chunk: Buffer): number {
    let from = 0
    let at = 0
    while (at < chunk.length) {
      const byte = chunk[at]
      switch (this.#state) {
        case "text": {
          const found = chunk.indexOf(stuffedLine, at)
          if (found < 0) {
            this.#append(chunk, from, chunk.length)
            this.#state = stateAfter(chunk)
            return -1
          }
          this.#append(chunk, from, found + 2)
          this.#state = "dot"
          from = at = found + 3
          break
        }
        case "cr":
          if (byte === LF) at++
          this.#state = byte === LF ? "lineStart" : "text"
          break
        case "lineStart":
          if (byte !== DOT) {
            this.#state = "text"
            break
          }
          this.#append(chunk, from, at)
          this.#state = "dot"
          from = ++at
          break
        case "dot":
          if (byte !== CR) {
            this.#state = "text"
            break
          }
          this.#state = "dotCr"
          from = ++at
          break
        case "dotCr":
          if (byte === LF) return at + 1
          this.#append(stuffedLine, 0, 1)
          this.#state = "text"
          break
      }
    }
    this.#append(chunk, from, chunk.length)
    return -1
  }

  /** True once a client has sent twice as much as allowed: it will not stop by itself. */
  get flooding(): boolean {
    return this.#discarded > this.maxBytes
  }

  /** Bytes of the content so far. */
  get size(): number {
    return this.#length
  }

  /** The content so far. Not copied: the caller owns it. */
  content(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Drops the content and returns its bytes to the budget. */
  release(): void {
    this.memory.release(this.#buffer.length)
    this.#buffer = Buffer.alloc(0)
    this.#length = 0
  }

  #append(chunk: Buffer, start: number, end: number): void {
    const size = end - start
    if (size <= 0) return
    if (this.refusal === undefined && !this.#reserve(this.#length + size)) this.release()
    if (this.refusal !== undefined) {
      this.#discarded += size
      return
    }
    chunk.copy(this.#buffer, this.#length, start, end)
    this.#length += size
  }

  #reserve(needed: number): boolean {
    if (needed > this.maxBytes) {
      this.refusal = "too_large"
      return false
    }
    const capacity = this.#buffer.length
    if (needed <= capacity) return true
    const wanted =
      capacity === 0 ? Math.max(firstAllocation, Math.min(this.declaredBytes, largestFirstAllocation)) : capacity * 2
    const next = Math.min(Math.max(wanted, needed), this.maxBytes)
    if (!this.memory.take(next - capacity)) {
      this.refusal = "out_of_memory"
      return false
    }
    const grown = Buffer.allocUnsafeSlow(next)
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
    return true
  }
}

/** The state after a chunk that ends within text. */
function stateAfter(chunk: Buffer): State {
  const last = chunk.length - 1
  if (chunk[last] === CR) return "cr"
  return chunk[last] === LF && chunk[last - 1] === CR ? "lineStart" : "text"
}
