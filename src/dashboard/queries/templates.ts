import { keepPreviousData, type QueryClient, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query"
import { useCallback, useMemo } from "react"
import { ApiError } from "../api/http.ts"
import type { Template, TemplateSample } from "../api/templates.ts"
import { getTemplate, getTemplateSample, listTemplates, type TemplateQuery } from "../api/templates.ts"
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

const sampleKey = (projectId: string, id: string) => ["template-sample", projectId, id]

/** What the preview of a template is filled with, null for nothing. */
export function useTemplateSample(id: string) {
  const projectId = useSession().project.id
  return useQuery({
    queryKey: sampleKey(projectId, id),
    queryFn: ({ signal }) => getTemplateSample(projectId, id, signal),
    select: ({ data }) => data,
    staleTime: 5_000,
  })
}

export const setSample = (client: QueryClient, projectId: string, id: string, sample: TemplateSample): void =>
  void client.setQueryData(sampleKey(projectId, id), sample)

/** The first page of a list by name, which for most projects has all. */
export const byName = { search: "", type: null, sort: "name", dir: "asc", page: 1, pageSize: 100 } as const

/** The names of templates by id, null for those that are gone. Those beyond the first page are read one by one. */
export function useTemplateNames(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const projectId = useSession().project.id
  const page = useTemplates(byName).data
  const listed = useMemo(() => page && new Map(page.data.map(({ id, name }) => [id, name])), [page])
  const others = listed ? [...new Set(ids)].filter((id) => !listed.has(id)) : []
  const found = useQueries({
    queries: others.map((id) => ({
      queryKey: templateKey(projectId, id),
      queryFn: ({ signal }: { signal: AbortSignal }) => getTemplate(projectId, id, signal),
      staleTime: 60_000,
    })),
    combine: namesIn,
  })
  const key = others.join()
  return useMemo(() => {
    const names = new Map<string, string | null>(listed)
    for (const [at, id] of key.split(",").entries()) {
      const name = found[at]
      if (name !== undefined) names.set(id, name)
    }
    return names
  }, [listed, key, found])
}

const namesIn = (results: UseQueryResult<Template>[]) =>
  results.map(({ data, error }) => (error instanceof ApiError && error.status === 404 ? null : data?.name))

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
