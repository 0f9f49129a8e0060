import type { End } from "./entries.ts"
import type { Bytes } from "./tar.ts"

/** Computes the checksum of an archive while its entries are read or written. */
interface Sums {
  /** Passes on the content of an entry, which is added once it was read completely. */
  of(name: string, content: Bytes): Bytes
  /** Of all entries so far. */
  end(): End
}

export function createSums(): Sums {
  const whole = new Bun.CryptoHasher("sha256")
  let entries = 0
  let bytes = 0
  return {
    async *of(name, content) {
      const own = new Bun.CryptoHasher("sha256")
      for await (const piece of content) {
        own.update(piece)
        bytes += piece.length
        yield piece
      }
      whole.update(`${own.digest("hex")}  ${name}\n`)
      entries++
    },
    end: () => ({ entries, bytes, sha256: whole.copy().digest("hex") }),
  }
}
