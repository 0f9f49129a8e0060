import { Button, NativeSelect, Skeleton } from "@mantine/core"
import { useDocumentTitle } from "@mantine/hooks"
import { IconChevronLeft, IconChevronRight, IconPlus, IconSpeakerphone } from "@tabler/icons-react"
import { useRef } from "react"
import { useLocation } from "wouter"
import { useCommands } from "../../shell/commands.tsx"
import { EmptyState, Notice } from "../../ui/empty-state.tsx"
import { count } from "../../ui/format.ts"
import { PageHead } from "../../ui/page-head.tsx"
import { SearchField } from "../../ui/search-field.tsx"
import { Tool } from "../../ui/tool.tsx"
import { listCommands } from "../templates/list-commands.ts"
import styles from "../templates/templates-page.module.css"
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
  const turn = (by: 1 | -1) => change({ page: view.page + by })
  const hasNext = page !== undefined && view.page < page.totalPages
  useDocumentTitle("Campaigns · Posthorn")
  useCommands(
    listCommands({
      rows,
      search: () => searchRef.current?.focus(),
      refresh: () => void query.refetch(),
      open: (id) => go(`/campaigns/${id}`),
      next: hasNext ? () => turn(1) : undefined,
      previous: view.page > 1 ? () => turn(-1) : undefined,
      clear: text === "" ? undefined : clear,
    }),
  )
  const nothing = page?.total === 0 && !isFiltered && !query.isPlaceholderData
  const summary = !page ? "" : isFiltered ? `${page.total} found` : page.total > 0 ? count(page.total, "campaign") : ""

  return (
    <main className={styles.page} ref={rows}>
      <PageHead title="Campaigns" summary={summary}>
        {!nothing && (
          <Button size="xs" h={32} leftSection={<IconPlus size={15} stroke={1.9} />} onClick={openNewCampaign}>
            New<span className={styles.wide}>&nbsp;campaign</span>
          </Button>
        )}
      </PageHead>
      {nothing ? (
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
      ) : (
        <>
          <div className={styles.tools}>
            <SearchField
              className={styles.search}
              label="Search campaigns"
              placeholder="Name, subject or sender"
              value={text}
              onChange={setText}
              fieldRef={searchRef}
            />
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
          </div>
          <section className={styles.scroll} aria-label="Campaigns">
            {query.isError && !page ? (
              <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
            ) : !page ? (
              <Ghost />
            ) : page.data.length > 0 ? (
              <CampaignTable campaigns={page.data} view={view} onView={change} />
            ) : page.total > 0 ? (
              <Notice text="There is no such page." action="Back to the first" onAction={() => change({ page: 1 })} />
            ) : (
              <Notice text="No campaign matches." action="Show all campaigns" onAction={clear} />
            )}
          </section>
          {page && page.totalPages > 1 && (
            <footer className={styles.foot}>
              <span>
                Page {view.page} of {page.totalPages}
              </span>
              <span className={styles.steps}>
                <Tool
                  label="Previous page"
                  icon={IconChevronLeft}
                  size="md"
                  run={view.page > 1 ? () => turn(-1) : undefined}
                />
                <Tool label="Next page" icon={IconChevronRight} size="md" run={hasNext ? () => turn(1) : undefined} />
              </span>
            </footer>
          )}
        </>
      )}
    </main>
  )
}

function Ghost() {
  return (
    <div className={styles.ghost} aria-hidden="true">
      {[46, 38, 52, 41, 35].map((width) => (
        <Skeleton key={width} height={13} width={`${width}%`} radius="sm" />
      ))}
    </div>
  )
}
