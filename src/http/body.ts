import { DomainError, invalid, malformed } from "../kernel/errors.ts"
import { isObject, jsonType } from "../kernel/json.ts"

export const maxBodyBytes = 50 * 1_048_576

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false })

/** The JSON object of a request body (contract A1.2); an empty body is `{}`. Sizes are enforced while reading. */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, maxBodyBytes)
  const type = request.headers.get("content-type")
  const isJson = type === null || type.split(";", 1)[0]?.trim().toLowerCase() === "application/json"
  // Some clients send a content type without a body.
  if (!isJson && bytes.length > 0) throw malformed("The body must be JSON: send Content-Type: application/json.")
  const value = parse(bytes)
  if (isObject(value)) return value
  throw invalid([
    { field: "", code: "invalid_type", message: "The body must be a JSON object.", received: jsonType(value) },
  ])
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {}
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw malformed("The body is not valid UTF-8.")
  }
  if (text.trim() === "") return {}
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(`The body is not valid JSON: ${cause instanceof Error ? cause.message : "it cannot be parsed"}.`)
  }
}

/** The bytes of a body, read no further than the limit. A body that ends early is malformed. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length")
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit)
  try {
    return declared === null ? await readChunks(request, limit) : new Uint8Array(await request.arrayBuffer())
  } catch (cause) {
    throw cause instanceof DomainError ? cause : malformed("The body ended before it was complete.")
  }
}

async function readChunks({ body }: Request, limit: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

export const tooLarge = (limit: number): DomainError =>
  new DomainError("too_large", "PAYLOAD_TOO_LARGE", `The body is larger than ${limit} bytes.`)
