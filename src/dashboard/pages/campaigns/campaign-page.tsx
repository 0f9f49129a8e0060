import { lazy } from "react"
import { ItemPage } from "../../list/item-page.tsx"
import { useCampaign } from "../../queries/campaigns.ts"

const CampaignComposer = lazy(() => import("./composer/campaign-composer.tsx"))
const CampaignReport = lazy(() => import("./report/campaign-report.tsx"))

/** One campaign: in the composer until it begins, as a report from then on. */
export default function CampaignPage({ id }: { id: string }) {
  return (
    <ItemPage title="Campaigns" noun="campaign" path="/campaigns" query={useCampaign(id)}>
      {(campaign) =>
        campaign.status === "DRAFT" || campaign.status === "SCHEDULED" ? (
          <CampaignComposer campaign={campaign} />
        ) : (
          <CampaignReport campaign={campaign} />
        )
      }
    </ItemPage>
  )
}
