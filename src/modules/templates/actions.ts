import type { Engine } from "../../engine.ts"
import type { Paging } from "../../http/page.ts"
import { conflict, notFound } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Reference } from "../../references.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { Domains } from "../domains/index.ts"
import { createPreview, type PreviewDeps } from "./preview.ts"
import { changed, copyOf, type TemplateChange, type TemplateFields } from "./rules.ts"
import { findSample, saveSample } from "./sample.ts"
import {
  countTemplates,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  saveTemplate,
  type TemplateFilter,
  type TemplateOrder,
} from "./store.ts"
import type { Template } from "./table.ts"

/** A workflow step that sends a template. */
export interface StepUse {
  readonly workflowId: string
  readonly workflowName: string
  readonly stepId: string
  readonly stepName: string
}

interface Usage {
  readonly workflowSteps: readonly StepUse[]
  readonly emailsSent: number
}

export interface TemplateDeps extends Omit<PreviewDeps, "get"> {
  readonly domains: Domains
  /** How many emails of a template reached SENT. */
  emailsSent(projectId: string, templateId: string): Promise<number>
  /** Detaches emails from their template until the rest is few enough to be detached with the deletion of its row. */
  releaseEmails(projectId: string, templateId: string): Promise<void>
}

export function createTemplateActions(
  { store, ids, references }: Pick<Engine, "store" | "ids" | "references">,
  { contacts, domains, renderer, baseUrl, emailsSent, releaseEmails }: TemplateDeps,
) {
  /** Read by the handle of a unit, it exists until that unit has ended. */
  async function get(projectId: string, id: string, db: Db = store.read): Promise<Template> {
    const template = await findTemplate(db, projectId, id)
    if (template === undefined) throw notFound("Template", id)
    return template
  }

  /** The fields given must name a verified sender and parse as templates (contract A6.2). */
  async function check(projectId: string, { from, subject, body, text }: TemplateChange): Promise<void> {
    if (from !== undefined) await domains.requireVerifiedSender(projectId, from)
    const compiled = await renderer.compile(projectId, { subject, body, text })
    if ("refusal" in compiled) throw compiled.refusal
  }

  const usesOf = (db: Db, projectId: string, id: string) => references.to(db, projectId, { kind: "template", key: id })

  async function refuseInUse(db: Db, projectId: string, id: string): Promise<void> {
    await get(projectId, id, db)
    const uses = await usesOf(db, projectId, id)
    const [step] = stepsIn(uses.filter(({ blocks }) => blocks))
    if (step) throw inUse(step)
  }

  /** Adds a template with a new id in the caller's unit. */
  async function add(unit: Unit, projectId: string, fields: TemplateFields): Promise<Template> {
    const template = { ...fields, id: ids.next(), projectId, createdAt: unit.now, updatedAt: unit.now }
    await insertTemplate(unit, template)
    return template
  }

  return {
    get,

    find: (db: Db, projectId: string, id: string): Promise<Template | undefined> => findTemplate(db, projectId, id),

    async list(
      projectId: string,
      filter: TemplateFilter,
      order: TemplateOrder,
      paging: Paging,
    ): Promise<{ rows: Template[]; total: number }> {
      const total = await countTemplates(store.read, projectId, filter)
      const rows = paging.offset < total ? await listTemplates(store.read, projectId, filter, order, paging) : []
      return { rows, total }
    },

    async create(projectId: string, fields: TemplateFields): Promise<Template> {
      await check(projectId, fields)
      return store.write(projectId, (unit) => add(unit, projectId, fields))
    },

    async change(projectId: string, id: string, change: TemplateChange): Promise<Template> {
      await get(projectId, id)
      await check(projectId, change)
      return store.write(projectId, async (unit) => {
        const stored = await get(projectId, id, unit.db)
        // Its domain may have been deleted since; an enabled workflow that mails the template keeps it from now on.
        if (change.from !== undefined) await domains.requireVerifiedSender(projectId, change.from, unit.db)
        const template = changed(stored, change, unit.now)
        if (template !== stored) await saveTemplate(unit, template)
        return template
      })
    },

    /**
     * Deletes a template. Its emails stay with their content. Many emails are released first, so that no unit is long;
     * references that block the deletion are checked before that, and again in the unit that deletes.
     */
    async remove(projectId: string, id: string): Promise<void> {
      await refuseInUse(store.read, projectId, id)
      await releaseEmails(projectId, id)
      await store.write(projectId, async (unit) => {
        await refuseInUse(unit.db, projectId, id)
        await deleteTemplate(unit, projectId, id)
      })
    },

    /** With the data of its preview. */
    duplicate: (projectId: string, id: string): Promise<Template> =>
      store.write(projectId, async (unit) => {
        const copy = await add(unit, projectId, copyOf(await get(projectId, id, unit.db)))
        await saveSample(unit, copy.id, await findSample(unit.db, id))
        return copy
      }),

    async sample(projectId: string, id: string): Promise<JsonObject | null> {
      await get(projectId, id)
      return findSample(store.read, id)
    },

    /** It says nothing about the template, whose `updatedAt` stays. */
    setSample: (projectId: string, id: string, data: JsonObject | null): Promise<void> =>
      store.write(projectId, async (unit) => {
        await get(projectId, id, unit.db)
        await saveSample(unit, id, data)
      }),

    async usage(projectId: string, id: string): Promise<Usage> {
      await get(projectId, id)
      return {
        workflowSteps: stepsIn(await usesOf(store.read, projectId, id)),
        emailsSent: await emailsSent(projectId, id),
      }
    },

    preview: createPreview({ contacts, renderer, baseUrl, get }),
  }
}

export type Templates = ReturnType<typeof createTemplateActions>

const stepsIn = (uses: readonly Reference[]): StepUse[] =>
  uses.flatMap(({ by, id, name, within }) =>
    by === "workflowStep" && within
      ? [{ workflowId: within.id, workflowName: within.name, stepId: id, stepName: name }]
      : [],
  )

const inUse = ({ workflowId, workflowName, stepId, stepName }: StepUse) =>
  conflict(`The step "${stepName}" of the workflow "${workflowName}" sends this template.`, {
    workflowId,
    workflowName,
    stepId,
    stepName,
  })
