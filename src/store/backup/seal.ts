import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto"
import { backupFault, damaged } from "./fault.ts"

/**
 * Encryption of a stream by a passphrase. The head is the magic, the scrypt parameters, a salt and a nonce prefix; it is
 * authenticated with every frame. Frames of 64 KiB are AES-256-GCM under a nonce of prefix, number and a flag for the
 * last one, so that a frame that is changed, moved, repeated or missing at the end is found (the STREAM construction).
 */
export const sealMagic = Buffer.from("MLSTSEAL1")

const saltBytes = 16
const prefixBytes = 7
const tagBytes = 16
const frameBytes = 65_536
const headBytes = sealMagic.length + 3 + saltBytes + prefixBytes

/** The cost of a guess at the passphrase; 64 MB of memory and a quarter of a second. */
const usualCost = { logN: 16, r: 8, p: 2 }

function keyOf(passphrase: string, [logN = 0, r = 0, p = 0]: Uint8Array, salt: Uint8Array): Buffer {
  // The parameters come from the file, which must not be able to exhaust the memory.
  if (logN > 18 || r > 16 || p > 8) throw backupFault("The backup asks for more memory than any that Mailstead makes.")
  const N = 2 ** logN
  return scryptSync(passphrase.normalize("NFKC"), salt, 32, { N, r, p, maxmem: 256 * N * r })
}

function nonceOf(prefix: Uint8Array, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.set(prefix)
  nonce.writeUInt32BE(number, prefixBytes)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

export const sealWith = (passphrase: string, cost = usualCost) =>
  async function* (source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const [salt, prefix] = [randomBytes(saltBytes), randomBytes(prefixBytes)]
    const parameters = Uint8Array.of(cost.logN, cost.r, cost.p)
    const head = Buffer.concat([sealMagic, parameters, salt, prefix])
    const key = keyOf(passphrase, parameters, salt)
    yield head
    for await (const { frame, number, isLast } of framesOf(source, frameBytes)) {
      const cipher = createCipheriv("aes-256-gcm", key, nonceOf(prefix, number, isLast)).setAAD(head)
      yield Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()])
    }
  }

export const openWith = (passphrase: string) =>
  async function* (source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const frames = framesOf(source, frameBytes + tagBytes, headBytes)
    const { value: first } = await frames.next()
    const head = first?.frame ?? Buffer.alloc(0)
    if (head.length < headBytes || !head.subarray(0, sealMagic.length).equals(sealMagic)) throw damaged()
    const at = sealMagic.length + 3
    const [salt, prefix] = [head.subarray(at, at + saltBytes), head.subarray(at + saltBytes)]
    const key = keyOf(passphrase, head.subarray(sealMagic.length, at), salt)
    if (first?.isLast) throw damaged()
    for await (const { frame, number, isLast } of frames) {
      if (frame.length < tagBytes) throw damaged()
      const body = frame.subarray(0, -tagBytes)
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(prefix, number - 1, isLast)).setAAD(head)
      decipher.setAuthTag(frame.subarray(-tagBytes))
      try {
        yield Buffer.concat([decipher.update(body), decipher.final()])
      } catch {
        throw number === 1 ? wrongPassphrase() : damaged()
      }
    }
  }

const wrongPassphrase = () => backupFault("The passphrase is not that of this backup, or the backup is damaged.")

interface Frame {
  readonly frame: Buffer
  readonly number: number
  readonly isLast: boolean
}

/** Cuts a stream into pieces of equal size, the first one of `firstSize`; there is a last one even of an empty stream. */
async function* framesOf(
  source: AsyncIterable<Uint8Array>,
  size: number,
  firstSize = size,
): AsyncGenerator<Frame, undefined> {
  let kept = Buffer.alloc(0)
  let number = 0
  for await (const piece of source) {
    kept = kept.length === 0 ? Buffer.from(piece) : Buffer.concat([kept, piece])
    // A piece that ends here may be the last one.
    for (let next = number === 0 ? firstSize : size; kept.length > next; next = size) {
      yield { frame: kept.subarray(0, next), number: number++, isLast: false }
      kept = kept.subarray(next)
    }
  }
  yield { frame: kept, number, isLast: true }
}
