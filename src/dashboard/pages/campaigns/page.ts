import { IconSpeakerphone } from "@tabler/icons-react"
import { lazy } from "react"
import type { Page } from "../../shell/page.ts"
import { openNewCampaign } from "./new-campaign.tsx"

export const campaignsPage: Page = {
  path: "/campaigns",
  name: "Campaigns",
  icon: IconSpeakerphone,
  content: lazy(() => import("./campaign-routes.tsx")),
  commands: () => [
    { group: "New", id: "new-campaign", label: "New campaign", icon: IconSpeakerphone, run: openNewCampaign },
  ],
}
