import { LRUCache } from "lru-cache"
import type { DomainError } from "../../kernel/errors.ts"
import { yieldToEventLoop } from "../../kernel/event-loop.ts"
import { type Content, checkTemplates } from "./check.ts"
import { TemplateFault, type TemplateField, templatesError } from "./faults.ts"
import { createFormats } from "./formats.ts"
import { createSourceParser, isLong } from "./parse-thread.ts"
import { type BeginStretch, createRenderTime } from "./render-time.ts"
import { compileTemplate, type Template, type TemplateKind, templateOf } from "./template.ts"

/** The templates of a message, or the 422 that it is answered with (contract A3.5). */
export type CompiledContent =
  | {
      readonly subject: Template
      readonly body: Template
      /** Undefined: the text part is made from the HTML. */
      readonly text: Template | undefined
      /** All of them, in this order. */
      readonly all: readonly Template[]
    }
  | { readonly refusal: DomainError }

/**
 * Caches compiled templates by their source, so that content that is sent often is compiled once. An entry depends on
 * nothing but its source and is never stale.
 */
export interface Renderer {
  /**
   * The template of a user's source. A long one is parsed on a thread, within the budget of the project. Rejects with a
   * TemplateFault, or with 429 when too many of the project wait already.
   */
  load(projectId: string, source: string, kind: TemplateKind): Promise<Template>
  /** The same for the parts of a message, any of which may be missing. */
  compile(projectId: string, content: Content): Promise<CompiledContent>
  /** The same synchronously, where nothing can be awaited: for content that was compiled a moment ago. */
  compileNow(content: Content): CompiledContent
  /** Compiles on this thread: for texts of our own and short content. @throws {TemplateFault} */
  template(source: string, kind: TemplateKind): Template
  /** The fault of short content, if any. */
  check(content: Content): DomainError | undefined
  /** The time for rendering what a project wrote, on this thread. */
  readonly stretch: BeginStretch
}

export interface RendererOptions {
  /** The number of cached templates of each kind. */
  readonly maxEntries?: number
  /** The clock of the limits of time: milliseconds on one that is never set. */
  readonly now?: (() => number) | undefined
}

const maxBytes: Record<TemplateKind, number> = {
  subject: 8 * 1_048_576,
  html: 64 * 1_048_576,
  text: 16 * 1_048_576,
}

export function createRenderer({ maxEntries = 1_000, now }: RendererOptions = {}): Renderer {
  const formats = createFormats()
  const caches: Record<TemplateKind, LRUCache<string, Template>> = {
    subject: createCache(maxEntries, maxBytes.subject),
    html: createCache(maxEntries, maxBytes.html),
    text: createCache(maxEntries, maxBytes.text),
  }
  const parseOnThread = createSourceParser()
  /** Bodies and texts that are being read; subjects are never that long. */
  const loading = new Map<string, Promise<Template>>()

  // The source itself is the key: with a hash, an attacker could craft a source that collides with another tenant's.
  const template = (source: string, kind: TemplateKind): Template => {
    const known = caches[kind].get(source)
    if (known !== undefined) return known
    const made = compileTemplate(source, kind, formats)
    caches[kind].set(source, made)
    return made
  }

  async function loadOnThread(projectId: string, source: string, kind: TemplateKind): Promise<Template> {
    const parsed = await parseOnThread(source, projectId)
    // Split into two turns of the event loop, of some ten milliseconds each.
    await yieldToEventLoop()
    const made = templateOf(parsed, source, kind, formats)
    caches[kind].set(source, made)
    return made
  }

  function load(projectId: string, source: string, kind: TemplateKind): Promise<Template> {
    const key = `${projectId} ${kind} ${source}`
    const known = loading.get(key)
    if (known !== undefined) return known
    const made = loadOnThread(projectId, source, kind).finally(() => loading.delete(key))
    loading.set(key, made)
    return made
  }

  const renderer: Renderer = {
    load: async (projectId, source, kind) =>
      kind !== "subject" && !caches[kind].has(source) && isLong(source)
        ? load(projectId, source, kind)
        : template(source, kind),

    async compile(projectId, content) {
      const parts: Loaded[] = []
      for (const [field, source, kind] of partsOf(content))
        parts.push(await renderer.load(projectId, source, kind).catch((cause) => faultIn(field, cause)))
      return contentOf(parts)
    },

    compileNow: (content) =>
      contentOf(
        partsOf(content).map(([field, source, kind]): Loaded => {
          try {
            return template(source, kind)
          } catch (cause) {
            return faultIn(field, cause)
          }
        }),
      ),

    template,
    check: (content) => checkTemplates(content, template),
    stretch: createRenderTime(now),
  }
  return renderer
}

type Part = readonly [TemplateField, string, TemplateKind]
type Loaded = Template | readonly [TemplateField, TemplateFault]

/** The sources of a message, of which only the text may be missing. */
const partsOf = ({ subject = "", body = "", text }: Content): Part[] => [
  ["subject", subject, "subject"],
  ["body", body, "html"],
  ...(text === undefined || text === null ? [] : [["text", text, "text"] as const]),
]

function faultIn(field: TemplateField, cause: unknown): readonly [TemplateField, TemplateFault] {
  if (!(cause instanceof TemplateFault)) throw cause
  return [field, cause]
}

function contentOf(parts: readonly Loaded[]): CompiledContent {
  const [first, ...rest] = parts.filter((part) => Array.isArray(part)) as (readonly [TemplateField, TemplateFault])[]
  if (first !== undefined) return { refusal: templatesError(first, ...rest) }
  const all = parts as Template[]
  const [subject, body, text] = all as [Template, Template, Template | undefined]
  return { subject, body, text, all }
}

const createCache = (max: number, maxSize: number) =>
  // A template may be empty, but its size must not be 0.
  new LRUCache<string, Template>({ max, maxSize, sizeCalculation: ({ weight }) => weight + 1 })
