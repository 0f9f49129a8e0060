import { malformed } from "../kernel/errors.ts"
import { type Bodies, maxBodyBytes } from "./body.ts"

/** The limits of a multipart request. */
export interface FormLimit {
  /** The total size of its files. */
  readonly fileBytes: number
}

/** Allowance for the boundaries, the headers of the parts, and other fields. */
const aroundFiles = 65_536

/** A form has a file and a few fields; hundreds of thousands of parts would hold up other requests for a second. */
const mostParts = 100

/**
 * The form of a multipart request. A form with too many bytes or parts is 400. A form that is too large is never held
 * in memory, and is 413 beyond 50 MB.
 */
export async function readForm(bodies: Bodies, request: Request, { fileBytes }: FormLimit): Promise<FormData> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^multipart\/form-data *;/i.test(type.trim())) throw malformed("Send the file as multipart/form-data.")
  const [, quoted, plain = ""] = /;\s*boundary=(?:"([^"]+)"|([^";]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain.trim()
  const beyond = { most: maxBodyBytes, refuse: () => oversized(fileBytes) }
  const bytes = await bodies.read(request, fileBytes + aroundFiles, beyond)
  if (hasManyParts(bytes, boundary)) throw malformed(`The form has more than ${mostParts} parts.`)
  try {
    // Parsed with the same boundary by which the parts were counted.
    const headers = { "Content-Type": `multipart/form-data; boundary="${boundary}"` }
    return await new Response(withQuotes(bytes, boundary), { headers }).formData()
  } catch {
    throw malformed("The form cannot be read: it is not complete, or its boundary is not the one that was announced.")
  }
}

function hasManyParts({ buffer, byteOffset, byteLength }: Uint8Array, boundary: string): boolean {
  const body = Buffer.from(buffer, byteOffset, byteLength)
  const delimiter = Buffer.from(`--${boundary}`)
  // One more ends the form.
  for (let at = -1, left = mostParts + 1; left >= 0; left--) {
    at = body.indexOf(delimiter, at + 1)
    if (at < 0) return false
  }
  return true
}

const disposition = /^content-disposition:.*/im
/** A text in quotes, so that nothing in it is taken for a parameter, or a parameter without quotes. */
const parameter = /("(?:\\.|[^"\\])*"?)|(;[ \t]*[\w*-]+=)([^\s";]+)/g

/** The form with `name=file` as `name="file"`: clients may leave the quotes out, as .NET does; Bun's parser needs them. */
function withQuotes(bytes: Uint8Array<ArrayBuffer>, boundary: string): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Buffer<ArrayBuffer>[] = []
  let copied = 0
  for (let end = 0; ; ) {
    const start = body.indexOf(`--${boundary}\r\n`, end)
    end = start < 0 ? -1 : body.indexOf("\r\n\r\n", start)
    if (end < 0) break
    const given = body.toString("latin1", start, end)
    const quoted = given.replace(disposition, (line) =>
      line.replace(parameter, (all, _, name, value) => (value === undefined ? all : `${name}"${value}"`)),
    )
    if (quoted === given) continue
    pieces.push(body.subarray(copied, start), Buffer.from(quoted, "latin1"))
    copied = end
  }
  return copied === 0 ? bytes : Buffer.concat([...pieces, body.subarray(copied)])
}

/** The file of a form, within the limit; undefined when there is no such part or it is not a file. */
export function fileIn(form: unknown, name: string, { fileBytes }: FormLimit): File | undefined {
  const part = form instanceof FormData ? form.get(name) : undefined
  if (!(part instanceof File)) return undefined
  if (part.size > fileBytes) throw oversized(fileBytes)
  return part
}

const oversized = (bytes: number) => malformed(`The file is larger than ${bytes / 1_048_576} MB.`)
