import { createContext, type ReactNode, useContext, useEffect, useState } from "react"
import { useLocation, useSearch } from "wouter"

interface Way {
  readonly cameFrom: string | null
  /** What stood behind the `?` of each page when it was left. */
  readonly left: ReadonlyMap<string, string>
}

const WayContext = createContext<Way>({ cameFrom: null, left: new Map() })

/** Remembers the way through the pages, for those who go back. */
export function WayProvider({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  const search = useSearch()
  const [way, setWay] = useState<{ here: string; before: string | null }>({ here: location, before: null })
  if (way.here !== location) setWay({ here: location, before: way.here })
  const [left] = useState(() => new Map<string, string>())
  useEffect(() => {
    left.set(location, search)
  }, [left, location, search])
  return <WayContext value={{ cameFrom: way.before, left }}>{children}</WayContext>
}

/** The path of the page before the present one; null on the first. */
export const useCameFrom = (): string | null => useContext(WayContext).cameFrom

/** Goes to a page as it was left: with what was searched there, in its order. */
export function useReturn(): (path: string) => void {
  const { left } = useContext(WayContext)
  const [, go] = useLocation()
  return (path) => {
    const search = left.get(path)
    go(search ? `${path}?${search}` : path)
  }
}
