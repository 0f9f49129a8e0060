import { type Clock, second } from "../kernel/clock.ts"
import { DomainError, malformed } from "../kernel/errors.ts"
import { memoryBudget } from "../kernel/memory-budget.ts"
import { HttpRefusal } from "./envelope.ts"

/** The largest body of all (contract A1.2.4). */
export const maxBodyBytes = 50 * 1_048_576

type Bytes = Uint8Array<ArrayBuffer>

export interface BodyOptions {
  /** What all bodies together may hold at a time. */
  readonly memoryBytes?: number
  /** How long a body may go without progress. */
  readonly stallMs?: number
}

/** What a body is that has more bytes than are read, but not more than `most`: it is counted to its end and not kept. */
export interface Beyond {
  readonly most: number
  readonly refuse: () => DomainError
}

/** How a body is read; `declared` is 0 where it does not say how long it is. */
interface Reading extends Beyond {
  readonly limit: number
  readonly declared: number
}

/** Reads the bodies of requests, within a memory that all of them share. */
export interface Bodies {
  /**
   * The bytes of a body, unless there are more than `limit`, which is 413. Throws 503 when the shared memory has no place
   * for it, and 400 when it does not arrive to its end.
   */
  read(request: Request, limit: number, beyond?: Beyond): Promise<Bytes>
  /** The request is answered, and no longer holds its body. */
  release(request: Request): void
}

/** Fewer bytes than these within `stallMs` are no progress, so one byte now and then does not keep a body alive. */
const progressBytes = 1_024
/** A declared body up to this size is read at once, which costs half as much as a stream. */
const smallBytes = 65_536
const firstBytes = 16_384

export function createBodies(clock: Clock, options: BodyOptions = {}): Bodies {
  const { memoryBytes = 4 * maxBodyBytes, stallMs = 15 * second } = options
  const memory = memoryBudget(memoryBytes)
  const held = new WeakMap<Request, number>()

  function hold(request: Request, bytes: number): void {
    if (!memory.take(bytes - (held.get(request) ?? 0))) throw overloaded()
    held.set(request, bytes)
  }

  /** Rejects once `work` has told no progress for too long. */
  async function unlessStalled<T>(work: (progress: (size: number) => void) => Promise<T>): Promise<T> {
    const over = new AbortController()
    let mark = { at: clock.now(), size: 0 }
    const progress = (size: number) => {
      if (size - mark.size >= progressBytes) mark = { at: clock.now(), size }
    }
    async function stalled(): Promise<never> {
      for (;;) {
        const left = mark.at + stallMs - clock.now()
        if (left <= 0) throw unfinished("The body stopped arriving.")
        await clock.sleep(Math.min(left, stallMs), over.signal)
        if (over.signal.aborted) return new Promise(() => {})
      }
    }
    try {
      return await Promise.race([work(progress), stalled()])
    } finally {
      over.abort()
    }
  }

  /** Reads no further than the limit, into one buffer that grows: how many pieces come is the client's choice. */
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
      // Gives the memory back now; the garbage collector may take its time.
      bytes.buffer.transfer(0)
      throw cause
    }
  }

  async function readStream(request: Request, stream: ReadableStream<Bytes>, reading: Reading): Promise<Bytes> {
    const reader = stream.getReader()
    try {
      return await unlessStalled((progress) => collect(request, reader, reading, progress))
    } catch (cause) {
      // What is still to come is thrown away as it arrives.
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
    release(request) {
      const bytes = held.get(request)
      if (bytes === undefined) return
      held.delete(request)
      memory.release(bytes)
    },
  }
}

/** The size of a buffer for `size` bytes; one that is too small is doubled, up to what is expected. */
const capacityFor = (size: number, current: number, expected: number): number =>
  size <= current ? current : Math.max(size, Math.min(expected, Math.max(firstBytes, 2 * current)))

const tooLarge = (limit: number): DomainError =>
  new DomainError("too_large", "PAYLOAD_TOO_LARGE", `The body is larger than ${limit} bytes.`)

/** The rest of such a body would be taken for the next request, so the connection ends. */
const unfinished = (message: string): DomainError => new HttpRefusal(malformed(message), { Connection: "close" })

const retryAfter = 5

/** Other clients' bodies take all the memory there is for them; they are gone within seconds. */
const overloaded = (): DomainError =>
  new DomainError("unavailable", "SERVICE_UNAVAILABLE", "Too many large requests at a time.", {
    details: { retryAfter },
    suggestion: `Send the request again in ${retryAfter} seconds.`,
  })
