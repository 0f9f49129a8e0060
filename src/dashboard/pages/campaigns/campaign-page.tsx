import type { Campaign } from "../../api/campaigns.ts"
import { ItemPage } from "../../list/item-page.tsx"
import { useCampaign } from "../../queries/campaigns.ts"
import { Loading } from "../../ui/loading.tsx"
import { lazy, useHasBeen } from "../../ui/on-demand.tsx"

const CampaignComposer = lazy(() => import("./composer/campaign-composer.tsx"), Loading)
const CampaignReport = lazy(() => import("./report/campaign-report.tsx"), Loading)

const isOpen = ({ status }: Campaign): boolean => status === "DRAFT" || status === "SCHEDULED"

/** One campaign: in the composer until it starts, as a report afterwards. */
export default function CampaignPage({ id }: { id: string }) {
  const query = useCampaign(id)
  const wasOpen = useHasBeen(query.data !== undefined && isOpen(query.data))
  return (
    <ItemPage title="Campaigns" noun="campaign" path="/campaigns" query={query}>
      {(campaign, isGone) =>
        isOpen(campaign) ? (
          <CampaignComposer key={campaign.id} campaign={campaign} isGone={isGone} />
        ) : (
          <CampaignReport campaign={campaign} hasBegun={wasOpen} />
        )
      }
    </ItemPage>
  )
}
