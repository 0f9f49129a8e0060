import { Loader } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { ApiError } from "../../api/http.ts"
import { useReturn } from "../../context/return-focus.tsx"
import styles from "../../list/list-page.module.css"
import { PageHead } from "../../parts/page-head.tsx"
import { useCampaign } from "../../queries/campaigns.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { CampaignComposer } from "./composer/campaign-composer.tsx"
import { CampaignReport } from "./report/campaign-report.tsx"

/** One campaign: in the composer until it begins, as a report from then on. */
export function CampaignPage({ id }: { id: string }) {
  const { data: campaign, error, refetch } = useCampaign(id)
  const goBack = useReturn()
  useDocumentTitle(`${campaign?.name ?? "Campaign"} · Mailstead`)
  if (campaign) {
    const isOpen = campaign.status === "DRAFT" || campaign.status === "SCHEDULED"
    return isOpen ? <CampaignComposer campaign={campaign} /> : <CampaignReport campaign={campaign} />
  }
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <main className={styles.page}>
      <PageHead title="Campaigns" />
      {isGone ? (
        <Notice
          failed
          text="This campaign is not here. It was deleted, or belongs to another project."
          action="All campaigns"
          onAction={() => goBack("/campaigns")}
        />
      ) : error ? (
        <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
      ) : (
        <Loader m="auto" color="gray" type="dots" aria-label="Loading" />
      )}
    </main>
  )
}
