import { ActionIcon, Button, Menu, Skeleton } from "@mantine/core"
import { IconArrowLeft, IconCopy, IconDots, IconPlayerStop, IconRefresh, IconTrash } from "@tabler/icons-react"
import { useEffect, useRef } from "react"
import { Link } from "wouter"
import type { Campaign } from "../../../api/campaigns.ts"
import { useCommands } from "../../../context/commands.tsx"
import { useDeparture } from "../../../context/leave-guard.ts"
import { useReturn } from "../../../context/return-focus.tsx"
import { useCampaignStats } from "../../../queries/campaigns.ts"
import { afterFocusReturn } from "../../../ui/after-focus-return.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import { fullTime } from "../../../ui/format.ts"
import { MenuEntry } from "../../../ui/menu-entry.tsx"
import { lazy } from "../../../ui/on-demand.tsx"
import { Tool } from "../../../ui/tool.tsx"
import { cancelReasons, formatAudience } from "../labels.ts"
import { CampaignStatusMark } from "../status.tsx"
import { useCampaignActions } from "../use-campaign-actions.tsx"
import { EngagementSkeleton } from "./engagement-skeleton.tsx"
import { Figures } from "./figures.tsx"
import { Funnel } from "./funnel.tsx"
import { Mails } from "./mails.tsx"
import { Progress } from "./progress.tsx"
import styles from "./report.module.css"

/** Loaded separately, because it takes more code than the rest of the page. */
const Engagement = lazy(() => import("./engagement.tsx"), EngagementSkeleton)

interface CampaignReportProps {
  campaign: Campaign
  /** Whether it started while it was open, so that this takes the place of the composer. */
  hasBegun: boolean
}

/** A campaign that has started: its progress, the outcomes of its mails, and the mails themselves. */
export default function CampaignReport({ campaign, hasBegun }: CampaignReportProps) {
  const title = useRef<HTMLHeadingElement>(null)
  // what had the focus is gone with the composer
  useEffect(() => {
    if (!hasBegun) return
    afterFocusReturn(() => {
      if (document.activeElement === document.body) title.current?.focus()
    })
  }, [hasBegun])
  const goBack = useReturn()
  const depart = useDeparture()
  const stats = useCampaignStats(campaign)
  const actions = useCampaignActions(campaign, () => void depart(() => goBack("/campaigns")))
  const isSending = campaign.status === "SENDING"
  const one = { group: "Campaign" } as const
  useCommands([
    { ...one, id: "refresh", label: "Refresh", icon: IconRefresh, keys: ["r"], run: () => void stats.refetch() },
    { ...one, id: "duplicate", label: "Duplicate", icon: IconCopy, run: () => void actions.duplicate() },
  ])
  return (
    <main className={styles.page}>
      <header className={styles.bar}>
        <Tool label="All campaigns" icon={IconArrowLeft} run={() => goBack("/campaigns")} />
        <h1 ref={title} tabIndex={-1} className={styles.title}>
          {campaign.name}
        </h1>
        <span className={styles.state}>
          <CampaignStatusMark status={campaign.status} pill />
        </span>
        <span className={styles.space} />
        {isSending && (
          <Button
            size="xs"
            h={32}
            color="red"
            variant="light"
            leftSection={<IconPlayerStop size={15} stroke={1.7} />}
            onClick={actions.cancel}
          >
            Stop
          </Button>
        )}
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Campaign actions">
              <IconDots size={18} stroke={1.7} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <MenuEntry icon={IconCopy} run={() => void actions.duplicate()}>
              Duplicate
            </MenuEntry>
            {!isSending && (
              <MenuEntry icon={IconTrash} run={actions.remove} danger>
                Delete…
              </MenuEntry>
            )}
          </Menu.Dropdown>
        </Menu>
      </header>
      <div className={styles.scroll}>
        <Facts campaign={campaign} />
        {/* of the same answer as the figures below, which is another one than that with the campaign */}
        {isSending && <Progress counts={stats.data ?? campaign} />}
        {stats.data ? (
          <>
            <Figures stats={stats.data} />
            <Funnel stats={stats.data} />
          </>
        ) : stats.error ? (
          <Notice failed text={stats.error.message} action="Try again" onAction={() => void stats.refetch()} />
        ) : (
          <Skeleton className={styles.waiting ?? ""} />
        )}
        <Engagement campaign={campaign} />
        <Mails campaign={campaign} />
      </div>
    </main>
  )
}

function Facts({ campaign }: { campaign: Campaign }) {
  const { subject, from, fromName, segment, audienceType, sentAt, cancelReason } = campaign
  const audience = formatAudience(campaign)
  return (
    <dl className={styles.facts}>
      <dt>Subject</dt>
      <dd>{subject}</dd>
      <dt>From</dt>
      <dd>{fromName ? `${fromName} <${from}>` : from}</dd>
      <dt>Audience</dt>
      <dd>
        {audienceType === "SEGMENT" && segment ? <Link href={`/segments/${segment.id}`}>{audience}</Link> : audience}
      </dd>
      {sentAt && (
        <>
          <dt>Begun</dt>
          <dd>{fullTime(Date.parse(sentAt))}</dd>
        </>
      )}
      {cancelReason && (
        <>
          <dt>Cancelled</dt>
          <dd>{cancelReasons[cancelReason]}</dd>
        </>
      )}
    </dl>
  )
}
