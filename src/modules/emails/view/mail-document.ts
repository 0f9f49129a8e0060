import { percentDecoded } from "../../../kernel/percent-encoding.ts"
import { textDocument } from "../../../mail/text-html.ts"
import type { Attachment } from "../../../mail/transport.ts"
import type { EmailContent } from "../wire.ts"

/** How many characters the images may add to a document; a data URL is a third larger than its image. */
const maxInlined = 25 * 1_048_576
/** Spacers and icons are often repeated; a larger image is inlined only at its first use. */
const maxRepeated = 4 * 1_024

/** The HTML of a mail with its `cid:` images inlined (RFC 2392). Links open in a new window. */
export function mailDocument({ html, text, attachments }: EmailContent): string {
  const document = html ?? textDocument(text ?? "")
  const addresses = createDataAddresses(attachments)
  const shown = document.replace(/(["'(=])cid:([^"')\s>]+)/gi, (whole, before: string, id: string) => {
    const address = addresses.take(percentDecoded(id))
    return address === undefined ? whole : before + address
  })
  return `<base target="_blank">${shown}`
}

/** The data URLs of a message's images, within the budget of one document. */
function createDataAddresses(attachments: EmailContent["attachments"]) {
  const parts = new Map(attachments.map((part) => [part.contentId, part] as const).reverse())
  const small = new Map<string, string>()
  const used = new Set<string>()
  let left = maxInlined
  return {
    /**
     * Undefined for anything other than an image of the message, and for images that were used before or exceed the
     * budget.
     */
    take(id: string): string | undefined {
      const part = parts.get(id)
      if (part === undefined || !/^image\//i.test(part.contentType)) return undefined
      const size = Math.ceil(part.content.byteLength / 3) * 4
      const isSmall = size <= maxRepeated
      if (size > left || (used.has(id) && !isSmall)) return undefined
      used.add(id)
      left -= size
      const address = small.get(id) ?? dataAddress(part)
      if (isSmall) small.set(id, address)
      return address
    },
  }
}

const dataAddress = ({ contentType, content }: Attachment): string =>
  `data:${contentType.replace(/[^\w/+.-]/g, "")};base64,${Buffer.from(content).toString("base64")}`
