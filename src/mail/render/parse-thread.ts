import { malformed } from "../../kernel/errors.ts"
import { createWorkThreads } from "../../kernel/work-threads.ts"
import type { ParsedSource } from "./compile-source.ts"
import { TemplateFault } from "./faults.ts"
import { unpack } from "./packed.ts"

/** The answer of the thread: the packed tree of a source, or its first fault. */
export type Answer =
  | { readonly packed: string }
  | { readonly fault: Pick<TemplateFault, "message" | "offset" | "tooBig"> }

/** The path of the thread's program inside the executable; defined by `config/build.ts`. */
declare const MAILSTEAD_TEMPLATE_WORKER: string | undefined
const program = typeof MAILSTEAD_TEMPLATE_WORKER === "string" ? MAILSTEAD_TEMPLATE_WORKER : "./parse-worker.ts"

/** The most tags and characters of a source that is compiled on the event loop, in some ten milliseconds. */
const maxTagsAtOnce = 1_000
const maxLengthAtOnce = 200_000
const limitMs = 15_000
const maxWaiting = 100

export function isLong(source: string): boolean {
  if (source.length > maxLengthAtOnce) return true
  let tags = 0
  for (let at = source.indexOf("{{"); at >= 0 && tags <= maxTagsAtOnce; at = source.indexOf("{{", at + 2)) tags++
  return tags > maxTagsAtOnce
}

type ParseSource = (source: string, projectId: string) => Promise<ParsedSource>

/**
 * Parses long sources without blocking the event loop. Rejects with the TemplateFault that `compileTemplate` would
 * throw.
 */
export function createSourceParser(): ParseSource {
  const threads = createWorkThreads<string, Answer>({
    start: () => new Worker(new URL(program, import.meta.url).href, { ref: false }),
    limitMs,
    tooSlow: () => malformed(`This template takes longer than ${limitMs / 1_000} seconds to be read.`),
    waiting: { most: maxWaiting, what: "large templates" },
  })
  return async (source, projectId) => {
    const answer = await threads.run(source, projectId)
    if ("packed" in answer) return unpack(answer.packed)
    const { message, offset, tooBig } = answer.fault
    throw new TemplateFault(message, source, offset, tooBig)
  }
}
