import { type HtmlReading, htmlReadLimit, readHtml } from "./html-text/reader.ts"

export { createHtmlThread } from "./html-text/read-thread.ts"
export { type HtmlReading, htmlReadLimit, type PlacedLink, readHtml } from "./html-text/reader.ts"
export { createHtmlReader } from "./html-text/repeated.ts"

/** Whether some HTML has a link to this address. */
export const linksTo = ({ links }: Pick<HtmlReading, "links">, address: string): boolean =>
  links.some(({ href }) => href === address)

/** The text part of a message whose HTML has this text: that of pictures alone is the subject. */
export const textPartOf = (
  text: string,
  { html, subject }: { readonly html: string; readonly subject: string },
): string => (text === "" && /<img[\s/>]/i.test(html) ? subject : text)

/**
 * The plain text of an HTML body (contract A7.2.2): no head, style or script; entities decoded; blocks and `<br>` as
 * line breaks; list items with `- `; links as `text (url)`, or the URL when equal; images as their alt text. HTML
 * beyond `htmlReadLimit` characters is dropped.
 */
export const textFromHtml = (html: string): string =>
  readHtml(html.length > htmlReadLimit ? html.slice(0, htmlReadLimit) : html).text
