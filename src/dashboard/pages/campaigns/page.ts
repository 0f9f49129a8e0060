import { IconSpeakerphone } from "@tabler/icons-react"
import type { Page } from "../../shell/page.ts"
import { onDemand } from "../../ui/on-demand.tsx"
import { openNewCampaign } from "./open-new-campaign.ts"

export const campaignsPage: Page = {
  path: "/campaigns",
  name: "Campaigns",
  icon: IconSpeakerphone,
  ...onDemand(() => import("./campaign-routes.tsx")),
  commands: () => [
    { group: "New", id: "new-campaign", label: "New campaign", icon: IconSpeakerphone, run: openNewCampaign },
  ],
}
