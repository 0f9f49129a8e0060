import { once } from "../../../kernel/once.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Domains } from "../../domains/index.ts"
import type { Emails, PreparedTemplate } from "../../emails/index.ts"
import { findProject, type Project } from "../../projects/index.ts"
import type { Templates } from "../../templates/index.ts"
import type { Workflow } from "../table.ts"
import type { ExecutableGraph, Graphs } from "./graphs.ts"
import { findWorkflowById } from "./store.ts"

/** One unit of the engine with what the executions that it moves have in common, each read once. */
export interface EngineUnit {
  readonly unit: Unit
  workflow(id: string): Promise<Workflow | undefined>
  project(id: string): Promise<Project | undefined>
  graph(workflow: Workflow): Promise<ExecutableGraph>
  /** Throws a DomainError when the template is gone, or has a sender that the project may not use (contract B5.7). */
  mail(project: Project, templateId: string): Promise<PreparedTemplate>
}

interface EngineUnitDeps {
  readonly graphs: Graphs
  readonly templates: Pick<Templates, "get">
  readonly domains: Pick<Domains, "requireVerifiedSender">
  readonly emails: Pick<Emails, "prepareTemplate">
}

export const createEngineUnits =
  ({ graphs, templates, domains, emails }: EngineUnitDeps) =>
  (unit: Unit): EngineUnit => {
    const { db } = unit
    const mails = new Map<string, Promise<PreparedTemplate>>()
    const read = new Map<string, Promise<ExecutableGraph>>()

    async function mail(project: Project, templateId: string): Promise<PreparedTemplate> {
      const template = await templates.get(project.id, templateId, db)
      await domains.requireVerifiedSender(project.id, template.from, db)
      return emails.prepareTemplate(project, template)
    }

    return {
      unit,
      workflow: once((id) => findWorkflowById(db, id)),
      project: once((id) => findProject(db, id)),
      graph(workflow) {
        const key = `${workflow.id} ${workflow.version}`
        const graph = read.get(key) ?? graphs(unit, workflow)
        read.set(key, graph)
        return graph
      },
      mail(project, templateId) {
        const prepared = mails.get(templateId) ?? mail(project, templateId)
        mails.set(templateId, prepared)
        return prepared
      },
    }
  }

export type NewEngineUnit = ReturnType<typeof createEngineUnits>
