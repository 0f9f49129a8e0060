import type { End } from "./entries.ts"

/** Sums up the entries of an archive. */
export interface Sums {
  begin(name: string): { add(piece: Uint8Array): void; end(): void }
  /** Of all entries that have ended. */
  end(): End
}

export function createSums(): Sums {
  const whole = new Bun.CryptoHasher("sha256")
  let entries = 0
  let bytes = 0
  return {
    begin(name) {
      const own = new Bun.CryptoHasher("sha256")
      return {
        add(piece) {
          own.update(piece)
          bytes += piece.length
        },
        end() {
          whole.update(`${own.digest("hex")}  ${name}\n`)
          entries++
        },
      }
    },
    end: () => ({ entries, bytes, sha256: whole.copy().digest("hex") }),
  }
}
