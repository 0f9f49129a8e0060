import type { HtmlReading } from "./html-text.ts"

/** What is added to a message to track opens and clicks (contract A7.3). */
export interface Tracking {
  /** The address of the image. */
  readonly image: string
  /** The replacement of each link, by its address as read; other links stay unchanged. */
  readonly links: ReadonlyMap<string, string>
}

export interface Additions {
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
  if (!URL.canParse(address)) return undefined
  const fit = /^https?:\/\/[\x21-\x7e]+$/i.test(address) ? address : new URL(address).href
  return fit.length > longestTarget * 3 ? undefined : fit
}
