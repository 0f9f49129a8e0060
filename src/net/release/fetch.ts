import { Readable } from "node:stream"

const manifestBytes = 1_048_576

/** The text at `update.url`. Throws a sentence. */
export async function fetchManifest(url: string, abort: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bodyOf(url, AbortSignal.any([abort, AbortSignal.timeout(30_000)]))) {
    size += part.length
    if (size > manifestBytes) throw new Error(`${url} is no manifest: it has more than a megabyte.`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString("utf8")
}

/**
 * An archive as it is stored: web servers tell a file that ends with .gz as one that is compressed for the way. Throws a
 * sentence.
 */
export const archiveOf = (url: string, abort: AbortSignal): AsyncGenerator<Uint8Array> =>
  bodyOf(url, abort, { decompress: false, headers: { "Accept-Encoding": "identity" } })

/** The response of an address configured by the operator, which may be private. Throws a sentence. */
async function* bodyOf(url: string, abort: AbortSignal, options: BunFetchRequestInit = {}): AsyncGenerator<Uint8Array> {
  let response: Response
  try {
    response = await fetch(url, { ...options, signal: abort })
  } catch (cause) {
    throw new Error(`${url} cannot be reached: ${cause instanceof Error ? cause.message : cause}`)
  }
  if (!response.ok || response.body === null) throw new Error(`${url} answers ${response.status}.`)
  yield* Readable.fromWeb(response.body as never) as AsyncIterable<Uint8Array>
}
