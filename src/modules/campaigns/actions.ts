import type { Engine } from "../../engine.ts"
import type { Paging } from "../../http/page.ts"
import { conflict, notFound } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import { inSlices } from "../../store/slices.ts"
import type { Unit } from "../../store/writer.ts"
import type { Emails } from "../emails/index.ts"
import type { Audiences } from "../segments/index.ts"
import { audienceOf } from "./audience.ts"
import { type BeginCampaign, beginScheduled } from "./begin.ts"
import type { CancelCampaign } from "./cancel.ts"
import type { AudienceRequest, CampaignChecks, CampaignRequest } from "./checks.ts"
import {
  type AudienceFields,
  type CampaignFields,
  copyOf,
  isActive,
  isEditable,
  nextStatus,
  type Trigger,
} from "./rules.ts"
import {
  type CampaignFilter,
  type CampaignOrder,
  type CampaignReport,
  countCampaigns,
  deleteCampaign,
  findCampaign,
  findLastSentAt,
  findReport,
  insertCampaign,
  listReports,
  saveCampaign,
} from "./store.ts"
import type { Campaign } from "./table.ts"

interface CampaignActionDeps extends Pick<Engine, "store" | "ids" | "clock" | "jobs"> {
  readonly emails: Emails
  readonly audiences: Audiences
  readonly checks: CampaignChecks
  readonly begin: BeginCampaign
  readonly cancel: CancelCampaign
}

export function createCampaignActions(deps: CampaignActionDeps) {
  const { store, ids, clock, jobs, emails, audiences, checks, begin, cancel } = deps

  async function get(projectId: string, id: string, db: Db = store.read): Promise<Campaign> {
    const campaign = await findCampaign(db, projectId, id)
    if (campaign === undefined) throw notFound("Campaign", id)
    return campaign
  }

  /** Read with the handle of a unit, it is the campaign as that unit leaves it. */
  async function report(projectId: string, id: string, db: Db = store.read): Promise<CampaignReport> {
    const found = await findReport(db, projectId, id)
    if (found === undefined) throw notFound("Campaign", id)
    return found
  }

  const countAudience = (projectId: string, fields: AudienceFields): Promise<number> =>
    audiences.count(projectId, audienceOf(fields, clock.now()))

  /** A new draft; resolves to its record. */
  async function add(
    unit: Unit,
    projectId: string,
    fields: CampaignFields,
    totalRecipients: number,
  ): Promise<CampaignReport> {
    const id = ids.next()
    await insertCampaign(unit, {
      ...fields,
      id,
      projectId,
      status: "DRAFT",
      scheduledFor: null,
      scheduledAt: null,
      totalRecipients,
      cancelReason: null,
      sentAt: null,
      createdAt: unit.now,
      updatedAt: unit.now,
    })
    return report(projectId, id, unit.db)
  }

  /** @throws {DomainError} 409 unless the status of the campaign allows the trigger */
  async function getFor(unit: Unit, trigger: Trigger, projectId: string, id: string): Promise<Campaign> {
    const campaign = await get(projectId, id, unit.db)
    requireTransition(campaign, trigger)
    return campaign
  }

  async function getDeletable({ db }: Unit, projectId: string, id: string): Promise<Campaign> {
    const campaign = await get(projectId, id, db)
    if (isActive(campaign.status)) throw wrongStatus(campaign, "deleted")
    return campaign
  }

  return {
    get,
    report,

    /** When the latest campaign started to be sent; null before the first. */
    lastSentAt: (projectId: string): Promise<number | null> => findLastSentAt(store.read, projectId),

    async list(
      projectId: string,
      filter: CampaignFilter,
      order: CampaignOrder,
      paging: Paging,
    ): Promise<{ rows: CampaignReport[]; total: number }> {
      const total = await countCampaigns(store.read, projectId, filter)
      const rows = paging.offset < total ? await listReports(store.read, projectId, filter, order, paging) : []
      return { rows, total }
    },

    /** The present size of an audience (contract B1.5). */
    async countRecipients(projectId: string, request: AudienceRequest): Promise<number> {
      return countAudience(projectId, await checks.audience(projectId, request))
    },

    async create(projectId: string, request: CampaignRequest): Promise<CampaignReport> {
      const fields = await checks.campaign(projectId, request)
      await checks.content(projectId, fields)
      const totalRecipients = await countAudience(projectId, fields)
      return store.write(projectId, async (unit) => {
        await checks.stillHold(unit, projectId, fields)
        return add(unit, projectId, fields, totalRecipients)
      })
    },

    /** Replaces all writable fields (contract B1.3.4). */
    async replace(projectId: string, id: string, request: CampaignRequest): Promise<CampaignReport> {
      const seen = await get(projectId, id)
      const fields = await checks.campaign(projectId, request)
      requireEditable(seen)
      await checks.content(projectId, fields)
      const totalRecipients = await countAudience(projectId, fields)
      return store.write(projectId, async (unit) => {
        const stored = await get(projectId, id, unit.db)
        requireEditable(stored)
        await checks.stillHold(unit, projectId, fields)
        const updatedAt = isUnchanged(stored, fields) ? stored.updatedAt : unit.now
        await saveCampaign(unit, stored, { ...fields, totalRecipients, updatedAt })
        return report(projectId, id, unit.db)
      })
    },

    async duplicate(projectId: string, id: string): Promise<CampaignReport> {
      const fields = copyOf(await get(projectId, id))
      const totalRecipients = await countAudience(projectId, fields)
      return store.write(projectId, (unit) => add(unit, projectId, fields, totalRecipients))
    },

    /** Sends at once, or at a time in ms (contract B1.4); the audience is counted anew. */
    async send(projectId: string, id: string, scheduledFor: number | null): Promise<CampaignReport> {
      const seen = await get(projectId, id)
      await checks.sendable(seen)
      const trigger = scheduledFor === null ? "send" : "schedule"
      requireTransition(seen, trigger)
      const counted = await countAudience(projectId, seen)
      return store.write(projectId, async (unit) => {
        const stored = await getFor(unit, trigger, projectId, id)
        await checks.sendable(stored, unit.db)
        // If the campaign was replaced meanwhile, the replacement has counted its own audience.
        const totalRecipients = stored.updatedAt === seen.updatedAt ? counted : stored.totalRecipients
        if (scheduledFor === null) await begin(unit, stored, { scheduledFor, totalRecipients })
        else {
          const updatedAt = stored.scheduledFor === scheduledFor ? stored.updatedAt : unit.now
          const scheduled = { status: "SCHEDULED", scheduledFor, scheduledAt: unit.now, updatedAt } as const
          await saveCampaign(unit, stored, { ...scheduled, totalRecipients })
          await jobs.enqueue(unit, beginScheduled, { projectId, campaignId: id }, { runAt: scheduledFor })
        }
        return report(projectId, id, unit.db)
      })
    },

    cancel: (projectId: string, id: string): Promise<CampaignReport> =>
      store.write(projectId, async (unit) => {
        await cancel(unit, await getFor(unit, "cancel", projectId, id), "user")
        return report(projectId, id, unit.db)
      }),

    /**
     * Deletes a campaign; its mails stay, and waiting ones are cancelled. They are detached in slices first, so that no
     * unit is long; each unit checks again that the campaign may be deleted.
     */
    async remove(projectId: string, id: string): Promise<void> {
      for (const detach of [emails.cancelPending, emails.releaseFromCampaign]) {
        await inSlices(store, projectId, async (unit, limit) => {
          await getDeletable(unit, projectId, id)
          return detach(unit, projectId, id, limit)
        })
      }
      await store.write(projectId, async (unit) => deleteCampaign(unit, await getDeletable(unit, projectId, id)))
    },
  }
}

export type CampaignActions = ReturnType<typeof createCampaignActions>

const participles = {
  schedule: "sent",
  send: "sent",
  cancel: "cancelled",
  finish: "finished",
} as const satisfies Record<Trigger, string>

function requireTransition(campaign: Campaign, trigger: Trigger): void {
  if (nextStatus(campaign.status, trigger) === undefined) throw wrongStatus(campaign, participles[trigger])
}

function requireEditable(campaign: Campaign): void {
  if (!isEditable(campaign.status)) throw wrongStatus(campaign, "changed")
}

const wrongStatus = ({ status }: Campaign, participle: string) =>
  conflict(`A campaign that is ${status} cannot be ${participle}.`, { status })

const isUnchanged = (stored: Campaign, fields: CampaignFields): boolean =>
  Object.entries(fields).every(([name, value]) => Bun.deepEquals(stored[name as keyof CampaignFields], value))
