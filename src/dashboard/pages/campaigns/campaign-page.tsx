import { ItemPage } from "../../list/item-page.tsx"
import { useCampaign } from "../../queries/campaigns.ts"
import { Loading } from "../../ui/loading.tsx"
import { lazy } from "../../ui/on-demand.tsx"

const CampaignComposer = lazy(() => import("./composer/campaign-composer.tsx"), Loading)
const CampaignReport = lazy(() => import("./report/campaign-report.tsx"), Loading)

/** One campaign: in the composer until it starts, as a report afterwards. */
export default function CampaignPage({ id }: { id: string }) {
  return (
    <ItemPage title="Campaigns" noun="campaign" path="/campaigns" query={useCampaign(id)}>
      {(campaign, isGone) =>
        campaign.status === "DRAFT" || campaign.status === "SCHEDULED" ? (
          <CampaignComposer key={campaign.id} campaign={campaign} isGone={isGone} />
        ) : (
          <CampaignReport campaign={campaign} />
        )
      }
    </ItemPage>
  )
}
