import { createContext, type ReactNode, useContext, useEffect, useState } from "react"
import { useLocation, useSearch } from "wouter"

interface History {
  readonly previous: string | null
  /** The query string that each page had when it was left. */
  readonly searches: ReadonlyMap<string, string>
}

const HistoryContext = createContext<History>({ previous: null, searches: new Map() })

/** Remembers which page came before and how each was left, so that going back restores focus and search. */
export function NavigationHistory({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  const search = useSearch()
  const [visit, setVisit] = useState<{ path: string; previous: string | null }>({ path: location, previous: null })
  if (visit.path !== location) setVisit({ path: location, previous: visit.path })
  const [searches] = useState(() => new Map<string, string>())
  useEffect(() => {
    searches.set(location, search)
  }, [searches, location, search])
  return <HistoryContext value={{ previous: visit.previous, searches }}>{children}</HistoryContext>
}

/** The path of the page before the present one; null on the first. */
export const usePreviousPath = (): string | null => useContext(HistoryContext).previous

/** Goes to a page with the search and the order that it had when it was left. */
export function useReturn(): (path: string) => void {
  const { searches } = useContext(HistoryContext)
  const [, go] = useLocation()
  return (path) => {
    const search = searches.get(path)
    go(search ? `${path}?${search}` : path)
  }
}
