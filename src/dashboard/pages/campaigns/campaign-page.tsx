import { Loader } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { ApiError } from "../../http.ts"
import styles from "../../list/list-page.module.css"
import { useReturn } from "../../shell/way-back.tsx"
import { Notice } from "../../ui/empty-state.tsx"
import { PageHead } from "../../ui/page-head.tsx"
import { CampaignComposer } from "./composer/campaign-composer.tsx"
import { useCampaign } from "./queries.ts"
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
