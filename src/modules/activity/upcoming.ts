import { and, asc, eq, isNotNull, lte, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { campaignTable } from "../campaigns/index.ts"
import { contactTable } from "../contacts/index.ts"
import { executionTable, stepExecutionTable, stepTable, transitionTable, workflowTable } from "../workflows/index.ts"
import type { Activity } from "./feed.ts"
import { campaignMetadata, campaignsIn, executionMetadata, shownExecution } from "./records.ts"

/** What a project has planned up to a time in ms, soonest first. */
type ListUpcoming = (db: Db, projectId: string, until: number, limit: number) => Promise<Activity[]>

const scheduledCampaigns: ListUpcoming = async (db, projectId, until, limit) => {
  const { scheduledFor } = campaignTable
  const rows = await campaignsIn(db)
    .where(and(eq(campaignTable.projectId, projectId), eq(campaignTable.status, "SCHEDULED"), lte(scheduledFor, until)))
    .orderBy(asc(scheduledFor), asc(campaignTable.id))
    .limit(limit)
  return rows.map((row) => ({
    id: `campaign_${row.id}_scheduled`,
    type: "campaign.scheduled",
    at: row.scheduledFor ?? 0,
    contactId: null,
    contactEmail: null,
    metadata: campaignMetadata(row),
  }))
}

/** Executions that wait until a time, with their present step and the type of the next one in the live graph. */
const waitingExecutions: ListUpcoming = async (db, projectId, until, limit) => {
  const { dueAt } = executionTable
  const rows = await db
    .select({
      execution: shownExecution,
      at: dueAt,
      contactEmail: contactTable.email,
      workflowName: workflowTable.name,
      step: { executionId: stepExecutionTable.id, id: stepExecutionTable.stepId, name: stepExecutionTable.name },
      type: stepExecutionTable.type,
      nextType: stepTable.type,
    })
    .from(executionTable)
    .innerJoin(
      stepExecutionTable,
      and(eq(stepExecutionTable.executionId, executionTable.id), sql`${stepExecutionTable.completedAt} IS NULL`),
    )
    .innerJoin(contactTable, eq(contactTable.id, executionTable.contactId))
    .innerJoin(workflowTable, eq(workflowTable.id, executionTable.workflowId))
    .leftJoin(
      transitionTable,
      and(eq(transitionTable.fromStepId, stepExecutionTable.stepId), eq(transitionTable.branch, "")),
    )
    .leftJoin(stepTable, eq(stepTable.id, transitionTable.toStepId))
    .where(
      // The status as a literal, as in the partial index.
      and(
        eq(executionTable.projectId, projectId),
        sql`${executionTable.status} = 'WAITING'`,
        isNotNull(dueAt),
        lte(dueAt, until),
      ),
    )
    .orderBy(asc(dueAt), asc(executionTable.id))
    .limit(limit)
  return rows.map(({ execution, contactEmail, workflowName, step, ...row }) => ({
    id: `${step.executionId}_scheduled`,
    type: row.type === "DELAY" && row.nextType === "SEND_EMAIL" ? "workflow.email.scheduled" : "workflow.waiting",
    at: row.at ?? 0,
    contactId: execution.contactId,
    contactEmail,
    metadata: { ...executionMetadata(execution, workflowName), stepId: step.id, stepName: step.name },
  }))
}

/** Everything that is planned comes from one of these. */
const planned: readonly ListUpcoming[] = [scheduledCampaigns, waitingExecutions]

export const listUpcoming: ListUpcoming = async (db, projectId, until, limit) => {
  const lists: Activity[][] = []
  for (const list of planned) lists.push(await list(db, projectId, until, limit))
  return lists
    .flat()
    .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
    .slice(0, limit)
}
