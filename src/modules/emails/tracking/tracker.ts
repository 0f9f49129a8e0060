import type { PlacedLink } from "../../../mail/html-text.ts"
import type { Links } from "../../../mail/links.ts"
import { clickTarget, type Tracking } from "../../../mail/tracking.ts"
import type { Project } from "../../projects/index.ts"
import { isTestEmail } from "../rules.ts"
import type { Email } from "../table.ts"
import { type LinkStore, linkKey } from "./links.ts"

interface TrackerDeps {
  readonly links: Links
  readonly stored: LinkStore
}

/** Whether mail of a type is tracked under a project's setting (contract A7.3.1). */
export const isTracked = (mode: Project["tracking"], type: Email["type"]): boolean =>
  mode === "ENABLED" || (mode === "MARKETING_ONLY" && type !== "TRANSACTIONAL")

/**
 * The tracking of a message, if it is tracked. It depends only on the row and the links, so it is the same for every
 * attempt; when it resolves, the links are stored. Test emails are never tracked (contract B1.7).
 */
export const createTracker =
  ({ links, stored }: TrackerDeps) =>
  async (email: Email, mode: Project["tracking"], placed: readonly PlacedLink[]): Promise<Tracking | undefined> => {
    if (isTestEmail(email) || !isTracked(mode, email.type)) return undefined
    const addresses = new Map<string, string>()
    const targets = new Map<string, string>()
    for (const { href, isUntracked } of placed) {
      if (isUntracked || addresses.has(href) || links.isPage(href)) continue
      const target = clickTarget(href)
      if (target === undefined) continue
      const key = linkKey(email.projectId, target)
      targets.set(key, target)
      addresses.set(href, links.click(email.id, key))
    }
    await stored.save(email.projectId, targets)
    return { image: links.open(email.id), links: addresses }
  }

export type Tracker = ReturnType<typeof createTracker>
