import type { CampaignEngagement } from "../../../api/campaigns.ts"

type Followed = CampaignEngagement["links"][number]

/**
 * The links of a campaign with their clicks: clicked ones first, the most clicked at the top, then links of the body
 * that nobody has clicked. Links with variables are only known once they were clicked.
 */
export function linksOf(followed: readonly Followed[], hrefs: readonly string[]): readonly Followed[] {
  const known = new Set(followed.map(({ url }) => url))
  const others = new Set(hrefs.flatMap((href) => targetOf(href) ?? []).filter((url) => !known.has(url)))
  return [...followed, ...[...others].map((url) => ({ url, clicks: 0 }))]
}

/** Whether one of these addresses depends on the contact and is tracked, which those of the server's own pages are not. */
export const hasVariableLink = (hrefs: readonly string[]): boolean =>
  hrefs.some((href) => href.includes("{{") && !/^\s*\{\{\s*(unsubscribe|manage|subscribe)Url\s*\}\}/.test(href))

/** As the server stores the target of a tracked link; undefined for what it does not track. */
function targetOf(href: string): string | undefined {
  const address = href.replace(/[\t\r\n]/g, "")
  if (!/^https?:/i.test(address) || address.includes("{{") || !URL.canParse(address)) return undefined
  return /^[\x21-\x7e]+$/.test(address) ? address : new URL(address).href
}
