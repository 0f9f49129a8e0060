import { IconSpeakerphone } from "@tabler/icons-react"
import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { openNewCampaign } from "./open-new-campaign.ts"

export const campaignsPage: Page = {
  ...section.campaigns,
  ...onDemand(() => import("./campaign-routes.tsx")),
  commands: () => [
    { group: "New", id: "new-campaign", label: "New campaign", icon: IconSpeakerphone, run: openNewCampaign },
  ],
}
