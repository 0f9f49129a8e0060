import { useMemo } from "react"
import type { Campaign, CampaignEngagement } from "../../../api/campaigns.ts"
import { PreviewHtml } from "../../../parts/content/preview-html.tsx"
import { atFirst, usePreview } from "../../../parts/content/use-preview.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import { ScrollRegion } from "../../../ui/scroll-region.tsx"
import styles from "./engagement.module.css"
import { hasVariableLink, linksOf } from "./links.ts"

interface MailLinksProps {
  campaign: Campaign
  engagement: CampaignEngagement
}

/** The mail, and beside it its links with their clicks. */
export function MailLinks({ campaign, engagement: { links: followed, hasMoreLinks } }: MailLinksProps) {
  const { preview, error } = usePreview(campaign, atFirst, true)
  const hrefs = useMemo(() => hrefsIn(campaign.body), [campaign.body])
  const links = useMemo(() => linksOf(followed, hrefs), [followed, hrefs])
  const most = Math.max(1, ...links.map(({ clicks }) => clicks))
  const { from, fromName } = campaign
  return (
    <div className={styles.columns}>
      <section className={styles.mail} aria-label="The mail">
        {preview ? (
          <PreviewHtml preview={preview} sender={fromName ? `${fromName} <${from}>` : from} width="wide" />
        ) : (
          error && <Notice failed text={error.message} />
        )}
      </section>
      <section className={styles.box} aria-labelledby="links">
        <header>
          <h2 id="links">Links</h2>
        </header>
        {links.length === 0 ? (
          <p className={styles.none}>
            {hasVariableLink(hrefs)
              ? "The addresses of its links have variables in them: each is shown once it has been followed."
              : "The mail has no links."}
          </p>
        ) : (
          <ScrollRegion className={styles.rows} label="Links and their clicks">
            <table aria-label="Links">
              <thead>
                <tr>
                  <th scope="col">Link</th>
                  <th scope="col">Clicks</th>
                </tr>
              </thead>
              <tbody>
                {links.map(({ url, clicks }) => (
                  <tr key={url}>
                    <th scope="row">
                      <a href={url} target="_blank" rel="noreferrer" title={url}>
                        {url.replace(/^https?:\/\//i, "")}
                      </a>
                      <span className={styles.share} style={{ width: `${(clicks / most) * 100}%` }} />
                    </th>
                    <td>{clicks.toLocaleString("en")}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )}
        {hasMoreLinks && <p className={styles.none}>The {followed.length} that were followed most; there are more.</p>}
      </section>
    </div>
  )
}

const hrefsIn = (html: string): string[] =>
  [...new DOMParser().parseFromString(html, "text/html").querySelectorAll("a[href], area[href]")].map(
    (link) => link.getAttribute("href") ?? "",
  )
