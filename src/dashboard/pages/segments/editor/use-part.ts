import { useSearchParams } from "wouter"
import type { Part } from "./editor-commands.ts"

/** The visible part of a segment. It is in the URL, so that a reload and the way back from a member show it again. */
export function usePart(parts: readonly Part[]): readonly [Part, (part: Part) => void] {
  const [params, setParams] = useSearchParams()
  const part = parts.find((one) => one === params.get("part")) ?? "rules"
  return [part, (next) => setParams(next === "rules" ? {} : { part: next }, { replace: true })]
}
