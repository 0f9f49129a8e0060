import { IconSpeakerphone } from "@tabler/icons-react"
import { campaignStatuses } from "../../api/campaigns.ts"
import { FilterField } from "../../list/filter-field.tsx"
import { ListPage } from "../../list/list-page.tsx"
import { useListView } from "../../list/list-view.ts"
import { useCampaigns } from "../../queries/campaigns.ts"
import { CampaignTable } from "./campaign-table.tsx"
import { statusNames } from "./labels.ts"
import { openNewCampaign } from "./open-new-campaign.ts"

const shape = { filter: "status", values: campaignStatuses, sorts: ["createdAt", "updatedAt", "name"] } as const
const pageSize = 20

/** The campaigns of the project, page by page. */
export function CampaignsPage() {
  const list = useListView(shape)
  const query = useCampaigns({ ...list.view, pageSize })
  const page = query.data
  return (
    <ListPage
      title="Campaigns"
      noun="campaign"
      list={list}
      query={query}
      page={page}
      onNew={openNewCampaign}
      empty={{
        icon: IconSpeakerphone,
        title: "One mail to many",
        text: "A campaign goes to all contacts, to a segment, or to those who match conditions: now or at a time you choose. Every recipient gets it once, in their own words, and you see who opened it.",
      }}
      searched="Name, subject or sender"
      filters={
        <FilterField
          label="Status"
          every="Every status"
          names={statusNames}
          value={list.view.status}
          onChange={(status) => list.change({ status })}
        />
      }
    >
      {page && <CampaignTable campaigns={page.data} view={list.view} onView={list.change} />}
    </ListPage>
  )
}
