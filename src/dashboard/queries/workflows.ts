import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import {
  type ExecutionQuery,
  getExecution,
  getWorkflowFlow,
  listExecutions,
  listExecutionsOf,
  listWorkflows,
  type WorkflowQuery,
} from "../api/workflows.ts"
import { useSession } from "../context/session.ts"

const listKey = (projectId: string) => ["workflows", projectId]
const workflowKey = (projectId: string, id: string) => ["workflow", projectId, id]
const flowKey = (projectId: string, id: string) => ["workflow-flow", projectId, id]
const executionsKey = (projectId: string, id: string) => ["workflow-executions", projectId, id]

/** How often counts and executions are read again, in ms. */
const pollEvery = 5_000

export function useWorkflows(query: WorkflowQuery) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: [...listKey(projectId), query],
    queryFn: ({ signal }) => listWorkflows(projectId, query, signal),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
}

interface Item {
  readonly id: string
}

/** One workflow, as `load` reads it. */
export function useWorkflow<T extends Item>(
  id: string,
  load: (projectId: string, id: string, signal: AbortSignal) => Promise<T>,
) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: workflowKey(projectId, id),
    queryFn: useCallback(({ signal }: { signal: AbortSignal }) => load(projectId, id, signal), [load, projectId, id]),
    staleTime: 5_000,
  })
}

/** How many contacts stand on each step, and how often each exit was taken. */
export function useWorkflowFlow(id: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: flowKey(projectId, id),
    queryFn: ({ signal }) => getWorkflowFlow(projectId, id, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery,
  })
}

export function useExecutions(id: string, query: ExecutionQuery) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: [...executionsKey(projectId, id), query],
    queryFn: ({ signal }) => listExecutions(projectId, id, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery,
  })
}

export function useExecution(id: string, executionId: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: [...executionsKey(projectId, id), "one", executionId],
    queryFn: ({ signal }) => getExecution(projectId, id, executionId, signal),
    refetchInterval: ({ state }) => (state.data && state.data.completedAt !== null ? false : pollEvery),
  })
}

/** The executions of a contact. */
export function useExecutionsOf(contactId: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: ["workflow-executions-of", projectId, contactId],
    queryFn: ({ signal }) => listExecutionsOf(projectId, contactId, signal),
    staleTime: 5_000,
  })
}

/** After a workflow was created or changed. */
export function cacheWorkflow(client: QueryClient, projectId: string, item: Item): void {
  client.setQueryData(workflowKey(projectId, item.id), item)
  void client.invalidateQueries({ queryKey: listKey(projectId) })
}

/** After it was changed by something that does not answer it. */
export async function refetchWorkflow(client: QueryClient, projectId: string, id: string): Promise<void> {
  const keys = [workflowKey(projectId, id), listKey(projectId), executionsKey(projectId, id)]
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** After a workflow was deleted. */
export function dropWorkflow(client: QueryClient, projectId: string, id: string): void {
  client.removeQueries({ queryKey: workflowKey(projectId, id) })
  client.removeQueries({ queryKey: executionsKey(projectId, id) })
  void client.invalidateQueries({ queryKey: listKey(projectId) })
}

/** After executions were started or cancelled. */
export const refetchExecutions = async (client: QueryClient, projectId: string, id: string): Promise<void> => {
  await Promise.all([
    client.invalidateQueries({ queryKey: executionsKey(projectId, id) }),
    client.invalidateQueries({ queryKey: flowKey(projectId, id) }),
    client.invalidateQueries({ queryKey: listKey(projectId) }),
  ])
}
