import { malformed } from "../kernel/errors.ts"
import { type Bodies, maxBodyBytes } from "./body.ts"

/** The limits of a multipart request. */
export interface FormLimit {
  /** The total size of its files. */
  readonly fileBytes: number
}

/** Allowance for the boundaries, the headers of the parts, and other fields. */
const aroundFiles = 65_536

/** The form of a multipart request. A larger one is 400 and never held in memory; beyond 50 MB it is 413. */
export async function readForm(bodies: Bodies, request: Request, { fileBytes }: FormLimit): Promise<FormData> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^multipart\/form-data *;/i.test(type.trim())) throw malformed("Send the file as multipart/form-data.")
  const beyond = { most: maxBodyBytes, refuse: () => oversized(fileBytes) }
  const bytes = await bodies.read(request, fileBytes + aroundFiles, beyond)
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData()
  } catch {
    throw malformed("The form cannot be read: it is not complete, or its boundary is not the one that was announced.")
  }
}

/** The file of a form, within the limit; undefined when there is no such part or it is not a file. */
export function fileIn(form: unknown, name: string, { fileBytes }: FormLimit): File | undefined {
  const part = form instanceof FormData ? form.get(name) : undefined
  if (!(part instanceof File)) return undefined
  if (part.size > fileBytes) throw oversized(fileBytes)
  return part
}

const oversized = (bytes: number) => malformed(`The file is larger than ${bytes / 1_048_576} MB.`)
