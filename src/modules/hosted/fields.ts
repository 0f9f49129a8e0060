import type { Protect } from "../../http/protect.ts"

/** The size limit of a form; ours have a dozen bytes. */
const limit = 50 * 1024

/**
 * The text fields of a form, as browsers and mailbox providers send it (RFC 8058, 3.2); empty for a body of another
 * type.
 */
export async function readFields(request: Request, readBody: Protect["readBody"]): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? ""
  const bytes = await readBody(request, limit)
  if (/^multipart\/form-data\s*;/i.test(type.trim())) return multipartFields(bytes, type)
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type.trim())
  return new URLSearchParams(isForm ? new TextDecoder().decode(bytes) : "")
}

async function multipartFields(bytes: Uint8Array, type: string): Promise<URLSearchParams> {
  const fields = new URLSearchParams()
  try {
    const form = await new Response(Buffer.from(bytes), { headers: { "Content-Type": type } }).formData()
    for (const [name, value] of form.entries()) if (typeof value === "string") fields.append(name, value)
  } catch {
    // An invalid form has no fields.
  }
  return fields
}
