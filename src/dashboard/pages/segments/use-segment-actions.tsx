import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { type Campaign, listWaitingCampaigns } from "../../api/campaigns.ts"
import { segmentsIn } from "../../api/conditions.ts"
import { ApiError } from "../../api/http.ts"
import { reasonOf } from "../../api/refusal.ts"
import {
  computeSegment,
  createSegment,
  deleteSegment,
  listSegments,
  refreshSegment,
  type Segment,
} from "../../api/segments.ts"
import { useBeforeLeaving, useRelease } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { forgetSegment, keepSegment, readMembersAgain } from "../../queries/segments.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"
import { openInUse } from "./in-use.tsx"

export interface SegmentActions {
  /** Computes the membership of a tracked segment of conditions, and counts any other again. */
  renew(): Promise<void>
  /** Copies it as it is stored, and opens the copy. */
  duplicate(): void
  /** Asks first, naming what uses it; says so where that keeps it. */
  remove(): Promise<void>
}

export const computes = ({ type, trackMembership }: Segment): boolean => type === "DYNAMIC" && trackMembership

/** What can be done with a segment as a whole. `onGone` is called once it is deleted, before it leaves the list. */
export function useSegmentActions(segment: Segment | null, onGone: () => void = () => {}): SegmentActions {
  const { project } = useSession()
  const client = useQueryClient()
  const [, go] = useLocation()
  const fail = (title: string) => (cause: unknown) => {
    notifications.show({ color: "red", title, message: reasonOf(cause) })
  }
  const beforeLeaving = useBeforeLeaving()
  const release = useRelease()
  const nothing = async () => {}
  if (!segment) return { renew: nothing, duplicate: () => {}, remove: nothing }
  const { id, name } = segment

  const renewed = async (): Promise<string> => {
    if (!computes(segment)) return `${count((await refreshSegment(project.id, id)).memberCount, "member")} now`
    const { added, removed, total } = await computeSegment(project.id, id)
    return `${added.toLocaleString("en")} joined, ${removed.toLocaleString("en")} left: ${count(total, "member")} now`
  }

  const goToCopy = async () => {
    const { description, trackMembership, condition, type } = segment
    const fields = { name: `${name.slice(0, 93)} (Copy)`, description, trackMembership, condition, type }
    const copy = await createSegment(project.id, fields).catch(fail("Not duplicated"))
    if (!copy) return
    keepSegment(client, project.id, copy)
    release()
    go(`/segments/${copy.id}`)
    notifications.show({ message: `This is the copy: ${copy.name}`, autoClose: 3000 })
  }

  return {
    async renew() {
      const message = await renewed().catch(fail(computes(segment) ? "Not computed" : "Not counted"))
      if (message === undefined) return
      await readMembersAgain(client, project.id, id)
      notifications.show({ title: name, message, autoClose: 4000 })
    },
    duplicate: () => beforeLeaving(() => void goToCopy()),
    async remove() {
      const users = await usersOf(project.id, id)
      if (users.campaigns.length > 0) return openInUse(name, users.campaigns)
      confirm({
        title: "Delete this segment?",
        text: formatLoss(name, users.segments),
        confirm: "Delete",
        onConfirm: async () => {
          try {
            await deleteSegment(project.id, id)
          } catch (cause) {
            return fail("Not deleted")(cause)
          }
          onGone()
          forgetSegment(client, project.id, id)
        },
      })
    },
  }
}

interface Users {
  /** They keep it from being deleted. */
  readonly campaigns: readonly Campaign[]
  readonly segments: readonly string[]
}

/** Whatever of it can be found out; the server has the last word. */
async function usersOf(projectId: string, id: string): Promise<Users> {
  const [campaigns, segments] = await Promise.all([
    listWaitingCampaigns(projectId).catch((cause: unknown) => {
      if (cause instanceof ApiError) return []
      throw cause
    }),
    listSegments(projectId).catch(() => []),
  ])
  return {
    campaigns: campaigns.filter(
      ({ segmentId, audienceCondition }) =>
        segmentId === id || (audienceCondition && segmentsIn(audienceCondition).includes(id)),
    ),
    segments: segments
      .filter(({ condition }) => condition && segmentsIn(condition).includes(id))
      .map(({ name }) => name),
  }
}

function formatLoss(name: string, segments: readonly string[]): string {
  const named = `the segment${segments.length === 1 ? "" : "s"} ${segments.map((name) => `“${name}”`).join(", ")}`
  const users = segments.length > 0 ? ` It is named by ${named}, which will match nobody there.` : ""
  return `${name} is gone for good; its contacts stay.${users}`
}
