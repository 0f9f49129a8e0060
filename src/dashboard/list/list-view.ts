import { useSearchParams } from "wouter"
import { useSettledText } from "../ui/settled-text.ts"

/** The parameters of a list page: search text, one of the values of a filter, and the order. */
interface ListShape<Filter extends string, Value extends string, Sort extends string> {
  /** The name of the filter in the address. */
  readonly filter: Filter
  readonly values: readonly Value[]
  /** The first one is the default. */
  readonly sorts: readonly [Sort, ...Sort[]]
}

export type ListView<Filter extends string, Value extends string, Sort extends string> = {
  readonly search: string
  readonly sort: Sort
  readonly dir: "asc" | "desc"
  /** From 1. */
  readonly page: number
} & { readonly [K in Filter]: Value | null }

/** What a page needs of its list, for any kind of item. */
export interface Listing {
  readonly view: { readonly page: number }
  /** The text in the search field, which the view follows when typing ends. */
  readonly text: string
  setText(text: string): void
  /** Shows all again. */
  clear(): void
  turnTo(page: number): void
  /** Whether the view is filtered. */
  readonly isFiltered: boolean
}

/**
 * The view of a list as stored in the URL, so that it can be bookmarked, shared and returned to. Any change except of
 * the page leads to the first page, and replaces the entry in the history.
 */
export function useListView<Filter extends string, Value extends string, Sort extends string>(
  shape: ListShape<Filter, Value, Sort>,
) {
  type View = ListView<Filter, Value, Sort>
  const [params, setParams] = useSearchParams()
  const view = readView(shape, params)
  const change = (part: Partial<View>) => {
    const present = new URLSearchParams(location.search)
    const view = { ...readView(shape, present), page: 1, ...part }
    setParams(writeView(shape, view, present), { replace: part.page === undefined })
  }
  const [text, setText] = useSettledText(view.search, (search) => change({ search } as Partial<View>))
  return {
    view,
    change,
    text,
    setText,
    clear: () => change({ search: "", [shape.filter]: null } as Partial<View>),
    turnTo: (page: number) => change({ page } as Partial<View>),
    isFiltered: view.search !== "" || view[shape.filter] !== null,
  }
}

/** The page in a query string, from 1. */
export function pageIn(params: URLSearchParams): number {
  const page = Number(params.get("page"))
  return Number.isInteger(page) && page > 0 ? page : 1
}

function readView<Filter extends string, Value extends string, Sort extends string>(
  { filter, values, sorts }: ListShape<Filter, Value, Sort>,
  params: URLSearchParams,
): ListView<Filter, Value, Sort> {
  return {
    search: params.get("search")?.trim() ?? "",
    [filter]: values.find((value) => value === params.get(filter)) ?? null,
    sort: sorts.find((sort) => sort === params.get("sort")) ?? sorts[0],
    dir: params.get("dir") === "asc" ? "asc" : "desc",
    page: pageIn(params),
  } as ListView<Filter, Value, Sort>
}

/** Other parameters of the URL are kept. */
function writeView<Filter extends string, Value extends string, Sort extends string>(
  { filter, sorts }: ListShape<Filter, Value, Sort>,
  view: ListView<Filter, Value, Sort>,
  present: URLSearchParams,
): URLSearchParams {
  const params = new URLSearchParams(present)
  for (const name of ["search", filter, "sort", "dir", "page"]) params.delete(name)
  if (view.search) params.set("search", view.search)
  if (view[filter]) params.set(filter, view[filter])
  if (view.sort !== sorts[0]) params.set("sort", view.sort)
  if (view.dir !== "desc") params.set("dir", view.dir)
  if (view.page > 1) params.set("page", String(view.page))
  return params
}
