import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import type { Template } from "../api/templates.ts"
import { getTemplate, listTemplates, type TemplateQuery } from "../api/templates.ts"
import { useHidden, withoutHidden } from "../context/deletions.ts"
import { useSession } from "../context/session.ts"

const templateKey = (projectId: string, id: string) => ["template", projectId, id]
const listKey = (projectId: string) => ["templates", projectId]

type TemplatePage = Awaited<ReturnType<typeof listTemplates>>

export function useTemplates(query: TemplateQuery) {
  const hidden = useHidden()
  const projectId = useSession().project.id
  return useQuery({
    queryKey: [...listKey(projectId), query],
    queryFn: ({ signal }) => listTemplates(projectId, query, signal),
    select: useCallback((page: TemplatePage) => withoutHidden(page, hidden), [hidden]),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
}

export function useTemplate(id: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: templateKey(projectId, id),
    queryFn: ({ signal }) => getTemplate(projectId, id, signal),
    staleTime: 5_000,
  })
}

/** After a template was created or changed. */
export function cacheTemplate(client: QueryClient, projectId: string, template: Template): void {
  client.setQueryData(templateKey(projectId, template.id), template)
  void client.invalidateQueries({ queryKey: listKey(projectId) })
}

/** After a template was deleted. */
export function dropTemplate(client: QueryClient, projectId: string, id: string): void {
  client.removeQueries({ queryKey: templateKey(projectId, id) })
  void client.invalidateQueries({ queryKey: listKey(projectId) })
}

/** After a deletion was refused. */
export const refetchTemplates = (client: QueryClient, projectId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: listKey(projectId) })
