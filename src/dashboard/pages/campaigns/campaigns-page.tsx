import { Button, NativeSelect } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { IconPlus, IconSpeakerphone } from "@tabler/icons-react"
import { useRef } from "react"
import { useLocation } from "wouter"
import { useCommands } from "../../shell/commands.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { listCommands } from "../templates/list-commands.ts"
import { campaignStatuses } from "./api.ts"
import { CampaignTable } from "./campaign-table.tsx"
import { useCampaignView } from "./list-view.ts"
import { openNewCampaign } from "./new-campaign.tsx"
import { useCampaigns } from "./queries.ts"
import { statusNames } from "./words.ts"

/** The campaigns of the project, page by page. */
export function CampaignsPage() {
  const { view, text, setText, change, clear } = useCampaignView()
  const [, go] = useLocation()
  const query = useCampaigns(view)
  const searchRef = useRef<HTMLInputElement>(null)
  const rows = useRef<HTMLElement>(null)
  const page = query.data
  const isFiltered = view.search !== "" || view.status !== null
  const turnTo = (to: number) => change({ page: to })
  const hasNext = page !== undefined && view.page < page.totalPages
  useDocumentTitle("Campaigns · Posthorn")
  useCommands(
    listCommands({
      rows,
      search: () => searchRef.current?.focus(),
      refresh: () => void query.refetch(),
      open: (id) => go(`/campaigns/${id}`),
      next: hasNext ? () => turnTo(view.page + 1) : undefined,
      previous: view.page > 1 ? () => turnTo(view.page - 1) : undefined,
      clear: text === "" ? undefined : clear,
    }),
  )
  const nothing = page?.total === 0 && !isFiltered && !query.isPlaceholderData
  const summary = !page ? "" : isFiltered ? `${page.total} found` : page.total > 0 ? count(page.total, "campaign") : ""

  return (
    <ListPage
      title="Campaigns"
      noun="campaign"
      summary={summary}
      onNew={openNewCampaign}
      empty={
        nothing ? (
          <EmptyState
            icon={IconSpeakerphone}
            title="One mail to many"
            text="A campaign goes to all contacts, to a segment, or to those who match conditions: now or at a time you choose. Every recipient gets it once, in their own words, and you see who opened it."
            actions={
              <Button leftSection={<IconPlus size={16} stroke={1.8} />} onClick={openNewCampaign}>
                New campaign
              </Button>
            }
          />
        ) : null
      }
      search={{ text, placeholder: "Name, subject or sender", fieldRef: searchRef, onText: setText }}
      filters={
        <NativeSelect
          aria-label="Status"
          size="sm"
          data={[
            { value: "", label: "Every status" },
            ...campaignStatuses.map((value) => ({ value, label: statusNames[value] })),
          ]}
          value={view.status ?? ""}
          onChange={({ currentTarget: { value } }) =>
            change({ status: campaignStatuses.find((status) => status === value) ?? null })
          }
        />
      }
      error={query.error}
      onRetry={() => void query.refetch()}
      found={page?.data.length}
      onClear={clear}
      rowsRef={rows}
      paging={page && { ...page, page: view.page, pageSize: view.pageSize, onPage: turnTo }}
    >
      {page && <CampaignTable campaigns={page.data} view={view} onView={change} />}
    </ListPage>
  )
}
