import { promisify } from "node:util"
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib"
import { pathStart } from "./path-start.ts"

/** From the smallest result to the largest. */
export const encodings = ["br", "zstd", "gzip"] as const
export type Encoding = (typeof encodings)[number]

/** Those that are fast enough for a response that is sent once. */
export const quick = ["zstd", "gzip"] as const satisfies readonly Encoding[]

/** A smaller response, in bytes, fits into one or two packets anyway. */
const smallest = 1_024

/** From this many bytes on, the last level of Brotli, a hundredth smaller, takes seconds instead of one. */
const large = 400_000

const packZstd = promisify(zstdCompress)
const packGzip = promisify(gzip)
const packBrotli = promisify(brotliCompress)

const encode: Readonly<Record<(typeof quick)[number], (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>> = {
  zstd: (bytes) => packZstd(bytes),
  gzip: (bytes) => packGzip(bytes),
}

/** Compresses at a high level, for content that is sent many times. */
export function compressWell(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  switch (encoding) {
    case "br":
      return packBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: bytes.byteLength < large ? 11 : 10 } })
    case "zstd":
      return packZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
    case "gzip":
      return packGzip(bytes, { level: 9 })
  }
}

/** Compresses a response that is sent once. */
export const compressQuickly = (bytes: Uint8Array, encoding: (typeof quick)[number]) => encode[encoding](bytes)

/** Paths whose responses contain passwords, tokens or keys. */
const secretPaths = /^\/(auth|users)(\/|\?|$)/

/**
 * Compresses a JSON response for a client that accepts it (contract A1.2.9), off the event loop. Streams, files and
 * small responses are not compressed, and neither are responses whose content could be guessed from the compressed size
 * (the BREACH attack): those that set cookies or contain secrets, and those to a request that another site may have
 * caused the browser to make with our cookie.
 */
export async function withCompression(request: Request, answer: Response): Promise<Response> {
  const { headers, status } = answer
  if (!headers.get("Content-Type")?.startsWith("application/json") || headers.has("Content-Encoding")) return answer
  if (isGuarded(request) || headers.has("Set-Cookie")) return answer
  addVary(headers)
  const accepted = request.headers.get("Accept-Encoding")
  const encoding = accepted ? acceptedEncoding(accepted, quick) : undefined
  // Reading the body turns it into a stream.
  if (encoding === undefined || answer.body === null) return answer
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (bytes.length < smallest) return new Response(bytes, { status, headers })
  headers.set("Content-Encoding", encoding)
  headers.delete("Content-Length")
  return new Response(await compressQuickly(bytes, encoding), { status, headers })
}

/**
 * Other sites can neither send this header with our cookie nor forge the browser's headers about the origin of a
 * request.
 */
function isGuarded({ url, headers }: Request): boolean {
  if (secretPaths.test(url.slice(pathStart(url)))) return true
  const isOwnPage = headers.get("Sec-Fetch-Site") === "same-origin" || headers.has("X-Project-Id")
  return headers.has("Cookie") && !isOwnPage
}

/** The best encoding that an `Accept-Encoding` header allows (RFC 9110, 12.5.3); one with `q=0` is refused. */
export function acceptedEncoding<E extends Encoding>(header: string, among: readonly E[]): E | undefined {
  const accepted = new Set(
    header
      .toLowerCase()
      .split(",")
      .map((part) => part.split(";").map((piece) => piece.trim()))
      .filter(([, quality]) => quality === undefined || !/^q=0(\.0*)?$/.test(quality))
      .map(([name]) => name),
  )
  return among.find((name) => accepted.has(name))
}

function addVary(headers: Headers): void {
  const varies = headers.get("Vary")
  if (!/\baccept-encoding\b/i.test(varies ?? ""))
    headers.set("Vary", varies ? `${varies}, Accept-Encoding` : "Accept-Encoding")
}
