import { notifications } from "@mantine/notifications"
import { useLocation } from "wouter"
import { type Campaign, listWaitingCampaigns } from "../../api/campaigns.ts"
import { segmentsIn } from "../../api/conditions.ts"
import { getEventUsage } from "../../api/events.ts"
import { ApiError } from "../../api/http.ts"
import {
  computeSegment,
  createSegment,
  deleteSegment,
  listSegments,
  refreshSegment,
  type Segment,
} from "../../api/segments.ts"
import { copyNotice, nameOfCopy } from "../../context/just-created.ts"
import { type Departure, useBeforeLeaving } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { cacheSegment, dropSegment, refetchMembers } from "../../queries/segments.ts"
import { useChange } from "../../queries/use-change.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"
import { openOnDemand } from "../../ui/on-demand.tsx"
import type { Use } from "./in-use.tsx"
import { listenersIn, membershipEvents } from "./listeners.ts"

const showUse = openOnDemand(
  () => import("./in-use.tsx"),
  ({ openInUse }, name: string, campaigns: readonly Use[]) => openInUse(name, campaigns),
)

export interface SegmentActions {
  /** Computes the membership of a tracked segment of conditions, and counts any other again. */
  renew(): Promise<void>
  /** Copies the stored segment, and opens the copy. */
  duplicate(): void
  /** Asks first and names what uses it; shows the campaigns that prevent the deletion. */
  remove(): Promise<void>
}

export const computes = ({ type, trackMembership }: Segment): boolean => type === "DYNAMIC" && trackMembership

/** The actions on a whole segment. `onGone` is called once it is deleted, before it is removed from the list. */
export function useSegmentActions(segment: Segment | null, onGone: () => void = () => {}): SegmentActions {
  const projectId = useSession().project.id
  const [, go] = useLocation()
  const beforeLeaving = useBeforeLeaving()
  const renewal = useChange({
    send: renewed,
    title: segment && computes(segment) ? "Not computed" : "Not counted",
    async done(client, projectId, message, { id, name }: Segment) {
      await refetchMembers(client, projectId, id)
      notifications.show({ title: name, message, autoClose: 4000 })
    },
  })
  const copying = useChange({
    send: (projectId, { segment }: { segment: Segment; leave: Departure }) => {
      const { name, description, trackMembership, condition, type } = segment
      return createSegment(projectId, { name: nameOfCopy(name, 100), description, trackMembership, condition, type })
    },
    title: "Not duplicated",
    done(client, projectId, copy, { leave }) {
      cacheSegment(client, projectId, copy)
      const isOpen = leave(() => go(`/segments/${copy.id}`))
      notifications.show({ message: copyNotice(copy, isOpen), autoClose: 3000 })
    },
  })
  const deletion = useChange({
    send: deleteSegment,
    title: "Not deleted",
    done(client, projectId, _output, id: string) {
      onGone()
      dropSegment(client, projectId, id)
    },
  })
  const nothing = async () => {}
  if (!segment) return { renew: nothing, duplicate: () => {}, remove: nothing }
  const { id, name } = segment

  return {
    async renew() {
      await renewal.run(segment)
    },
    duplicate: () => beforeLeaving((leave) => void copying.run({ segment, leave })),
    async remove() {
      const users = await usersOf(projectId, segment)
      if (users.campaigns.length > 0) return showUse(name, users.campaigns)
      confirm({
        title: "Delete this segment?",
        text: formatLoss(name, users),
        confirm: "Delete",
        onConfirm: () => void deletion.run(id),
      })
    },
  }
}

/** Computes or counts the members, and shows the result. */
async function renewed(projectId: string, segment: Segment): Promise<string> {
  if (!computes(segment)) return `${count((await refreshSegment(projectId, segment.id)).memberCount, "member")} now`
  const { added, removed, total } = await computeSegment(projectId, segment.id)
  return `${added.toLocaleString("en")} joined, ${removed.toLocaleString("en")} left: ${count(total, "member")} now`
}

interface Users {
  /** Campaigns that prevent its deletion. */
  readonly campaigns: readonly Campaign[]
  readonly segments: readonly string[]
  /** Workflows that its events start or wake. */
  readonly workflows: readonly string[]
}

/** The known users of a segment; the server decides. */
async function usersOf(projectId: string, { id, slug, trackMembership }: Segment): Promise<Users> {
  const events = trackMembership ? membershipEvents(slug) : []
  const [campaigns, segments, ...usages] = await Promise.all([
    listWaitingCampaigns(projectId).catch((cause: unknown) => {
      if (cause instanceof ApiError) return []
      throw cause
    }),
    listSegments(projectId).catch(() => []),
    ...events.map((name) => getEventUsage(projectId, name).catch(() => null)),
  ])
  return {
    campaigns: campaigns.filter(
      ({ segmentId, audienceCondition }) =>
        segmentId === id || (audienceCondition && segmentsIn(audienceCondition).includes(id)),
    ),
    segments: segments
      .filter(({ condition }) => condition && segmentsIn(condition).includes(id))
      .map(({ name }) => name),
    workflows: listenersIn(usages),
  }
}

function formatLoss(name: string, { segments, workflows }: Users): string {
  const lines = [`${name} is gone for good; its contacts stay.`]
  if (segments.length > 0) lines.push(`It is named by ${listed("segment", segments)}, which will match nobody there.`)
  if (workflows.length > 0) lines.push(`Its events will no longer reach ${listed("workflow", workflows)}.`)
  return lines.join(" ")
}

const listed = (noun: string, names: readonly string[]): string =>
  `the ${noun}${names.length === 1 ? "" : "s"} ${names.map((name) => `“${name}”`).join(", ")}`
