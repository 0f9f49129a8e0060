import { useSearchParams } from "wouter"
import { type Source, sources } from "../../api/inbox.ts"

/** The source filter of the list, from the URL. */
export function useSource(): { source: Source | null; setSource(source: Source | null): void } {
  const [params, setParams] = useSearchParams()
  return {
    source: sources.find((one) => one === params.get("source")) ?? null,
    setSource: (source) => {
      const next = new URLSearchParams(location.search)
      if (source) next.set("source", source)
      else next.delete("source")
      setParams(next, { replace: true })
    },
  }
}
