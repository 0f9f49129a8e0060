import { isUrl } from "../kernel/url.ts"
import type { HtmlReading, PlacedLink } from "./html-text.ts"
import type { Links } from "./links.ts"
import type { MessageSource } from "./message-source.ts"

/** What is added to a message to track opens and clicks (contract A7.3). */
interface Tracking {
  /** The address of the image. */
  readonly image: string
  /** The replacement of each link, by its address as read; other links stay unchanged. */
  readonly links: ReadonlyMap<string, string>
}

/** The key of a stored link: 128 bits of a hash of project and address, in hexadecimal digits. */
export const linkKey = (projectId: string, url: string): string =>
  new Bun.CryptoHasher("sha256").update(`${projectId}\n${url}`).digest("hex").slice(0, 32)

/**
 * The tracking of a message with these links, and the addresses that they lead to, by their keys. Depends on nothing else,
 * so it is the same for every attempt.
 */
export function trackingOf(
  { shared, own }: MessageSource,
  placed: readonly PlacedLink[],
  links: Pick<Links, "isPage" | "open" | "click">,
): { tracking: Tracking; targets: ReadonlyMap<string, string> } {
  const addresses = new Map<string, string>()
  const targets = new Map<string, string>()
  for (const { href, isUntracked } of placed) {
    if (isUntracked || addresses.has(href) || links.isPage(href)) continue
    const target = clickTarget(href)
    if (target === undefined) continue
    const key = linkKey(shared.projectId, target)
    targets.set(key, target)
    addresses.set(href, links.click(own.id, key))
  }
  return { tracking: { image: links.open(own.id), links: addresses }, targets }
}

interface Additions {
  /** HTML at the end of the content. */
  readonly footer?: string | undefined
  readonly tracking?: Tracking | undefined
}

/** HTML with the additions; all other characters are unchanged. `reading` must be of this HTML. */
export function withAdditions(html: string, reading: HtmlReading, { footer = "", tracking }: Additions): string {
  const image = tracking === undefined ? "" : imageOf(tracking.image)
  if (tracking === undefined && footer === "") return html
  let out = ""
  let done = 0
  let added = false
  const addEnd = () => {
    out += html.slice(done, reading.end) + footer + image
    done = reading.end
    added = true
  }
  for (const { href, start, end, isUntracked } of reading.links) {
    const address = isUntracked ? undefined : tracking?.links.get(href)
    if (address === undefined) continue
    if (!added && start > reading.end) addEnd()
    out += html.slice(done, start) + Bun.escapeHTML(address)
    done = end
  }
  if (!added) addEnd()
  return out + html.slice(done)
}

const imageOf = (address: string): string =>
  `<img src="${Bun.escapeHTML(address)}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">\n`

/** Longer addresses do not fit a redirect header that proxies pass on. */
const longestTarget = 4_000

/**
 * The target of a link, fit for a Location header: the address as written without white space, or in its normal form
 * when it contains characters that a header must not, or lacks the slashes without which a browser would look for it at
 * the host that redirects. Undefined when it is not an http or https address.
 */
export function clickTarget(href: string): string | undefined {
  if (!/^https?:/i.test(href) || href.length > longestTarget) return undefined
  const address = href.replace(/[\t\r\n]/g, "")
  if (!isUrl(address)) return undefined
  const fit = /^https?:\/\/[\x21-\x7e]+$/i.test(address) ? address : new URL(address).href
  return fit.length > longestTarget * 3 ? undefined : fit
}
