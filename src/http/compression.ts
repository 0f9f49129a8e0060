import { promisify } from "node:util"
import { constants, gzip, zstdCompress } from "node:zlib"

export type Encoding = "zstd" | "gzip"

/** Below this many bytes an answer fits into one packet or two anyway. */
const smallest = 1_024

const packZstd = promisify(zstdCompress)
const packGzip = promisify(gzip)

const encode: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>> = {
  zstd: (bytes) => packZstd(bytes),
  gzip: (bytes) => packGzip(bytes),
}

/** Compresses what is sent again and again as well as possible. */
export const compressWell = (bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> =>
  encoding === "zstd"
    ? packZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
    : packGzip(bytes, { level: 9 })

/** Paths whose answers hold passwords, tokens or keys. */
const secretPaths = /^\/(auth|users)(\/|$)/

/**
 * Compresses a JSON answer for a client that takes it (contract A1.2.9), on a thread beside the event loop. Streams, files
 * and small answers
 * stay as they are, and so does what the size of a compressed answer could betray (the BREACH attack): answers that set
 * cookies or hold secrets, and answers to a request that another site may have caused the browser to make with our cookie.
 */
export async function withCompression(request: Request, answer: Response): Promise<Response> {
  const { headers, status } = answer
  if (!headers.get("Content-Type")?.startsWith("application/json") || headers.has("Content-Encoding")) return answer
  if (answer.body === null || isGuarded(request) || headers.has("Set-Cookie")) return answer
  addVary(headers)
  const encoding = acceptedEncoding(request.headers.get("Accept-Encoding") ?? "")
  if (encoding === undefined) return answer
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (bytes.length < smallest) return new Response(bytes, { status, headers })
  headers.set("Content-Encoding", encoding)
  headers.delete("Content-Length")
  return new Response(await encode[encoding](bytes), { status, headers })
}

/** Other sites can neither send this header with our cookie nor forge what the browser says of where a request came from. */
function isGuarded({ url, headers }: Request): boolean {
  if (secretPaths.test(new URL(url).pathname)) return true
  const isOwnPage = headers.get("Sec-Fetch-Site") === "same-origin" || headers.has("X-Project-Id")
  return headers.has("Cookie") && !isOwnPage
}

/** The best encoding that an `Accept-Encoding` header allows (RFC 9110, 12.5.3); one with `q=0` is refused. */
export function acceptedEncoding(header: string): Encoding | undefined {
  const accepted = new Set(
    header
      .toLowerCase()
      .split(",")
      .map((part) => part.split(";").map((piece) => piece.trim()))
      .filter(([, quality]) => quality === undefined || !/^q=0(\.0*)?$/.test(quality))
      .map(([name]) => name),
  )
  return (["zstd", "gzip"] as const).find((name) => accepted.has(name))
}

function addVary(headers: Headers): void {
  const varies = headers.get("Vary")
  if (!/\baccept-encoding\b/i.test(varies ?? ""))
    headers.set("Vary", varies ? `${varies}, Accept-Encoding` : "Accept-Encoding")
}
