import { type Clock, second } from "../kernel/clock.ts"
import { DomainError, malformed } from "../kernel/errors.ts"
import { createBodyMemory } from "./body-memory.ts"
import { HttpRefusal } from "./envelope.ts"
import { createStallWatch } from "./stall-watch.ts"

/** The limit of any body (contract A1.2.4). */
export const maxBodyBytes = 50 * 1_048_576

type Bytes = Uint8Array<ArrayBuffer>

export interface BodyOptions {
  /** The memory limit of all bodies together. */
  readonly memoryBytes?: number
  /** How long a body may go without progress. */
  readonly stallMs?: number
}

/** How to treat a body that is larger than its limit, but at most `most`: it is received completely and discarded. */
interface OversizeRule {
  readonly most: number
  readonly refuse: () => DomainError
}

/** How a body is read; `declared` is 0 when its length is not declared. */
interface Reading extends OversizeRule {
  readonly limit: number
  readonly declared: number
}

/** Reads the bodies of requests within a shared memory limit, of which each client has a share. */
export interface Bodies {
  /**
   * The bytes of a body, unless there are more than `limit`, which is 413. @throws {DomainError} 503 when the shared
   * memory is used up, and 400 when the body is incomplete
   */
  read(request: Request, limit: number, beyond?: OversizeRule): Promise<Bytes>
  /** Releases the memory of the body, once the request is answered. */
  release(request: Request): void
}

/** A declared body up to this size is read at once, which costs half as much as a stream. */
const smallBytes = 65_536
const firstBytes = 16_384

/** @param clientOf whom a request counts for: none may hold more of the memory than its share */
export function createBodies(clock: Clock, clientOf: (request: Request) => string, options: BodyOptions = {}): Bodies {
  const { memoryBytes = 4 * maxBodyBytes, stallMs = 15 * second } = options
  const memory = createBodyMemory(memoryBytes, clientOf)
  const { unlessStalled, endSlow } = createStallWatch(clock, stallMs, () => unfinished("The body stopped arriving."))

  /**
   * When the memory is used up, slowly arriving bodies are dropped for new ones, because they could hold it for hours.
   */
  function hold(request: Request, bytes: number): void {
    const outcome = memory.hold(request, bytes)
    if (outcome === "over limit") endSlow()
    if (outcome !== "held") throw overloaded()
  }

  /** Reads up to the limit into one growing buffer, because the client controls the number of chunks. */
  async function collect(
    request: Request,
    reader: ReadableStreamDefaultReader<Bytes>,
    { limit, most, declared, refuse }: Reading,
    progress: (size: number) => void,
  ): Promise<Bytes> {
    const expected = declared > 0 ? declared : limit
    let bytes: Bytes = new Uint8Array(0)
    let size = 0
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        const before = size
        size += value.length
        progress(size)
        if (size > most) throw tooLarge(most)
        const capacity = size > limit ? 0 : capacityFor(size, bytes.length, expected)
        if (capacity !== bytes.length) {
          hold(request, capacity)
          bytes = new Uint8Array(bytes.buffer.transfer(capacity))
        }
        if (capacity > 0) bytes.set(value, before)
      }
      if (size > limit) throw refuse()
      if (size < declared) throw unfinished("The body ended before it was complete.")
      return bytes.subarray(0, size)
    } catch (cause) {
      // Frees the memory now instead of waiting for the garbage collector.
      bytes.buffer.transfer(0)
      throw cause
    }
  }

  async function readStream(request: Request, stream: ReadableStream<Bytes>, reading: Reading): Promise<Bytes> {
    const reader = stream.getReader()
    try {
      return await unlessStalled((progress) => collect(request, reader, reading, progress))
    } catch (cause) {
      // The rest is discarded as it arrives.
      void reader.cancel().catch(() => {})
      throw cause
    }
  }

  return {
    async read(request, limit, { most, refuse } = { most: limit, refuse: () => tooLarge(limit) }) {
      const declared = Number(request.headers.get("content-length") ?? 0)
      if (declared > most) throw tooLarge(most)
      if (declared > limit) throw refuse()
      try {
        if (request.body === null) return new Uint8Array(0)
        if (declared === 0 || declared > smallBytes)
          return await readStream(request, request.body, { limit, most, declared, refuse })
        hold(request, declared)
        return await unlessStalled(() => request.bytes())
      } catch (cause) {
        throw cause instanceof DomainError ? cause : unfinished("The body ended before it was complete.")
      }
    },
    release: memory.release,
  }
}

/** The size of a buffer for `size` bytes; one that is too small is doubled, up to the expected size. */
const capacityFor = (size: number, current: number, expected: number): number =>
  size <= current ? current : Math.max(size, Math.min(expected, Math.max(firstBytes, 2 * current)))

const tooLarge = (limit: number): DomainError =>
  new DomainError("too_large", "PAYLOAD_TOO_LARGE", `The body is larger than ${limit} bytes.`)

/** The rest of such a body would be read as the next request, so the connection is closed. */
const unfinished = (message: string): DomainError => new HttpRefusal(malformed(message), { Connection: "close" })

const retryAfter = 5

/** The memory for bodies, of this client or of all, is used up. It is usually free again within seconds. */
const overloaded = (): DomainError =>
  new DomainError("unavailable", "SERVICE_UNAVAILABLE", "Too many large requests at a time.", {
    details: { retryAfter },
    suggestion: `Send the request again in ${retryAfter} seconds.`,
  })
