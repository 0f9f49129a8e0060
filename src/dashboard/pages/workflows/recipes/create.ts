import { createTemplate } from "../../../api/templates.ts"
import { createWorkflow, replaceGraph, type Workflow } from "../../../api/workflows.ts"
import { freshId, type Graph, type Step } from "../editor/model/graph.ts"
import { sentGraph } from "../editor/sent-graph.ts"
import { bodyOf, mails } from "./mails.ts"
import type { Recipe } from "./recipes.ts"
import { stepsOf } from "./steps.ts"
import { plain } from "./types.ts"

interface Start {
  readonly name: string
  readonly eventName: string
  readonly from: string
  readonly fromName: string | null
}

/** Creates a workflow from a recipe: its templates, the workflow, and its graph. */
export async function createFromRecipe(projectId: string, recipe: Recipe, start: Start): Promise<Workflow> {
  const steps = stepsOf[recipe.id] ?? []
  const templates = new Map<string, string>()
  for (const { mail } of steps) {
    const content = mail === undefined ? undefined : mails[mail]
    if (mail === undefined || !content || templates.has(mail)) continue
    const template = await createTemplate(projectId, {
      name: content.name,
      description: null,
      subject: content.subject,
      body: bodyOf(content),
      text: null,
      from: start.from,
      fromName: start.fromName,
      replyTo: null,
      type: "MARKETING",
    })
    templates.set(mail, template.id)
  }
  const { name, eventName } = start
  const created = await createWorkflow(projectId, {
    name,
    description: recipe.about,
    eventName,
    allowReentry: recipe.allowReentry,
  })
  const trigger = created.steps[0]
  if (!trigger) return created
  const graph = graphFrom(recipe, templates, {
    id: trigger.id,
    type: trigger.type,
    name: trigger.name,
    config: trigger.config,
    templateId: null,
  })
  return replaceGraph(projectId, created.id, { ...sentGraph(graph), version: created.version })
}

function graphFrom({ id }: Recipe, templates: ReadonlyMap<string, string>, trigger: Step): Graph {
  const steps = stepsOf[id] ?? []
  const ids = new Map([["", trigger.id], ...steps.map(({ key }) => [key, freshId()] as const)])
  const named = (key: string): string => ids.get(key) ?? key
  return {
    steps: [
      trigger,
      ...steps.map(
        ({ key, type, name, config = {}, mail }): Step => ({
          id: named(key),
          type,
          name,
          config: type === "SEND_EMAIL" ? { recipient: { type: "CONTACT" } } : config,
          templateId: mail === undefined ? null : (templates.get(mail) ?? null),
        }),
      ),
    ],
    links: steps.map(({ key, after, branch = plain }) => ({ from: named(after), branch, to: named(key) })),
  }
}
