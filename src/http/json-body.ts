import { DomainError, invalid, malformed } from "../kernel/errors.ts"
import { turnOfItsOwn } from "../kernel/event-loop.ts"
import { isObject, jsonType } from "../kernel/json.ts"
import { parseJson } from "./json-parse.ts"
import { createJsonThread } from "./json-thread.ts"
import { isWithin } from "./json-values.ts"

/** Bodies up to this size are parsed as they come: that takes a millisecond or two. */
const smallBytes = 65_536
/** Larger ones are parsed on another thread: from here on that takes more than 30 ms. */
const largeBytes = 8 * 1_048_576
/** The most that any request is allowed beside 50 MB (contract A1.2.4). */
const limits = { values: 400_000, texts: 120_000, names: 75_000 }

/** Reads the JSON object of a body with this content type (contract A1.2); an empty body is `{}`. */
type JsonReader = (bytes: Uint8Array, type: string | null) => Promise<Record<string, unknown>>

/**
 * Large bodies do not block other requests: at most one of them is parsed per turn of the event loop, and the largest
 * are parsed on a thread.
 */
export function createJsonReader(): JsonReader {
  const onThread = createJsonThread()

  async function parseLarge(bytes: Uint8Array): Promise<unknown> {
    if (!(await isWithin(limits, bytes))) throw tooManyValues()
    if (bytes.length > largeBytes) return onThread(bytes)
    await turnOfItsOwn()
    return parseJson(bytes)
  }

  return async (bytes, type) => {
    const isJson = type === null || type.split(";", 1)[0]?.trim().toLowerCase() === "application/json"
    // Some clients send a content type without a body.
    if (!isJson && bytes.length > 0) throw malformed("The body must be JSON: send Content-Type: application/json.")
    const value = bytes.length > smallBytes ? await parseLarge(bytes) : parseJson(bytes)
    if (isObject(value)) return value
    throw invalid([
      { field: "", code: "invalid_type", message: "The body must be a JSON object.", received: jsonType(value) },
    ])
  }
}

/** @throws when a body is compressed, because it would be parsed without decompression. */
export function refuseEncoded({ headers }: Request): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity"
  if (encoding !== "identity" && encoding !== "")
    throw malformed("The body has a Content-Encoding. Send it without, as plain JSON.")
}

const count = (number: number): string => number.toLocaleString("en")

const tooManyValues = (): DomainError =>
  new DomainError(
    "too_large",
    "PAYLOAD_TOO_LARGE",
    `The body has more than ${count(limits.values)} values, ${count(limits.texts)} texts or ${count(limits.names)} names: send them in several requests.`,
  )
