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
import { type AudienceFields, after, type CampaignFields, copyOf, isActive, isOpen, type Trigger } from "./rules.ts"
import {
  type CampaignFilter,
  type CampaignOrder,
  countCampaigns,
  deleteCampaign,
  findCampaign,
  findReport,
  insertCampaign,
  listReports,
  type Report,
  saveCampaign,
} from "./store.ts"
import type { Campaign } from "./table.ts"

interface Parts extends Pick<Engine, "store" | "ids" | "clock" | "jobs"> {
  readonly emails: Emails
  readonly audiences: Audiences
  readonly checks: CampaignChecks
  readonly begin: BeginCampaign
  readonly cancel: CancelCampaign
}

export function campaignActions({ store, ids, clock, jobs, emails, audiences, checks, begin, cancel }: Parts) {
  async function get(projectId: string, id: string, db: Db = store.read): Promise<Campaign> {
    const campaign = await findCampaign(db, projectId, id)
    if (campaign === undefined) throw notFound("Campaign", id)
    return campaign
  }

  /** By the handle of a unit it is as that unit leaves it. */
  async function report(projectId: string, id: string, db: Db = store.read): Promise<Report> {
    const found = await findReport(db, projectId, id)
    if (found === undefined) throw notFound("Campaign", id)
    return found
  }

  const sizeOf = (projectId: string, fields: AudienceFields): Promise<number> =>
    audiences.count(projectId, audienceOf(fields, clock.now()))

  /** A new campaign with a new id; resolves to its record. */
  async function add(unit: Unit, projectId: string, fields: CampaignFields, totalRecipients: number): Promise<Report> {
    const id = ids.next()
    await insertCampaign(unit, {
      ...fields,
      id,
      projectId,
      status: "DRAFT",
      scheduledFor: null,
      totalRecipients,
      cancelReason: null,
      sentAt: null,
      createdAt: unit.now,
      updatedAt: unit.now,
    })
    return report(projectId, id, unit.db)
  }

  /** The campaign as this unit finds it, if the trigger has a place there. */
  async function getFor(unit: Unit, trigger: Trigger, projectId: string, id: string): Promise<Campaign> {
    const campaign = await get(projectId, id, unit.db)
    if (after(campaign.status, trigger) === undefined) throw outOfPlace(campaign, words[trigger])
    return campaign
  }

  async function refuseActive({ db }: Unit, projectId: string, id: string): Promise<void> {
    const campaign = await get(projectId, id, db)
    if (isActive(campaign.status)) throw outOfPlace(campaign, "deleted")
  }

  return {
    get,
    report,

    async list(
      projectId: string,
      filter: CampaignFilter,
      order: CampaignOrder,
      paging: Paging,
    ): Promise<{ rows: Report[]; total: number }> {
      const total = await countCampaigns(store.read, projectId, filter)
      const rows = paging.offset < total ? await listReports(store.read, projectId, filter, order, paging) : []
      return { rows, total }
    },

    /** How many would get it now (contract B1.5). */
    async countRecipients(projectId: string, request: AudienceRequest): Promise<number> {
      return sizeOf(projectId, await checks.audience(projectId, request))
    },

    async create(projectId: string, request: CampaignRequest): Promise<Report> {
      const fields = await checks.read(projectId, request)
      checks.content(fields)
      const totalRecipients = await sizeOf(projectId, fields)
      return store.write(projectId, async (unit) => {
        await checks.stillThere(unit, projectId, fields)
        return add(unit, projectId, fields, totalRecipients)
      })
    },

    /** Replaces all that a request can say (contract B1.3, row 4). */
    async replace(projectId: string, id: string, request: CampaignRequest): Promise<Report> {
      const seen = await get(projectId, id)
      const fields = await checks.read(projectId, request)
      if (!isOpen(seen.status)) throw outOfPlace(seen, "changed")
      checks.content(fields)
      const totalRecipients = await sizeOf(projectId, fields)
      return store.write(projectId, async (unit) => {
        const known = await get(projectId, id, unit.db)
        if (!isOpen(known.status)) throw outOfPlace(known, "changed")
        await checks.stillThere(unit, projectId, fields)
        const updatedAt = saysTheSame(known, fields) ? known.updatedAt : unit.now
        await saveCampaign(unit, { ...known, ...fields, totalRecipients, updatedAt })
        return report(projectId, id, unit.db)
      })
    },

    async duplicate(projectId: string, id: string): Promise<Report> {
      const fields = copyOf(await get(projectId, id))
      const totalRecipients = await sizeOf(projectId, fields)
      return store.write(projectId, (unit) => add(unit, projectId, fields, totalRecipients))
    },

    /** Sends at once, or at a time (contract B1.4). */
    async send(projectId: string, id: string, scheduledFor: number | null): Promise<Report> {
      const seen = await get(projectId, id)
      await checks.sendable(seen)
      const trigger = scheduledFor === null ? "send" : "schedule"
      if (after(seen.status, trigger) === undefined) throw outOfPlace(seen, words[trigger])
      const totalRecipients = scheduledFor === null ? await sizeOf(projectId, seen) : 0
      return store.write(projectId, async (unit) => {
        const known = await getFor(unit, trigger, projectId, id)
        if (scheduledFor === null) await begin(unit, known, { scheduledFor, totalRecipients })
        else {
          const updatedAt = known.scheduledFor === scheduledFor ? known.updatedAt : unit.now
          await saveCampaign(unit, { ...known, status: "SCHEDULED", scheduledFor, updatedAt })
          await jobs.enqueue(unit, beginScheduled, { projectId, campaignId: id }, { runAt: scheduledFor })
        }
        return report(projectId, id, unit.db)
      })
    },

    cancel: (projectId: string, id: string): Promise<Report> =>
      store.write(projectId, async (unit) => {
        await cancel(unit, await getFor(unit, "cancel", projectId, id), "user")
        return report(projectId, id, unit.db)
      }),

    /**
     * Its mails stay, and what waits of them is cancelled. They are taken off it in slices before it goes, so that no unit is
     * long; what refuses the deletion is looked at in each of them.
     */
    async remove(projectId: string, id: string): Promise<void> {
      for (const part of [emails.cancelPending, emails.releaseFromCampaign]) {
        await inSlices(store, projectId, async (unit, limit) => {
          await refuseActive(unit, projectId, id)
          return part(unit, projectId, id, limit)
        })
      }
      await store.write(projectId, async (unit) => {
        await refuseActive(unit, projectId, id)
        await deleteCampaign(unit, projectId, id)
      })
    },
  }
}

const words = {
  schedule: "sent",
  send: "sent",
  begin: "sent",
  refuse: "cancelled",
  cancel: "cancelled",
  finish: "finished",
} as const satisfies Record<Trigger, string>

const outOfPlace = ({ status }: Campaign, what: string) =>
  conflict(`A campaign that is ${status} cannot be ${what}.`, { status })

const saysTheSame = (known: Campaign, fields: CampaignFields): boolean =>
  Object.entries(fields).every(([name, value]) => Bun.deepEquals(known[name as keyof CampaignFields], value))

export type CampaignActions = ReturnType<typeof campaignActions>
