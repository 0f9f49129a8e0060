import { LRUCache } from "lru-cache"
import type { DomainError } from "../../kernel/errors.ts"
import { type Content, checkTemplates } from "./check.ts"
import { createFormats } from "./formats.ts"
import { compileTemplate, type Template, type TemplateKind } from "./template.ts"

/**
 * Caches compiled templates by their source, so that content that is sent often is compiled once. An entry depends on
 * nothing but its source and is never stale.
 */
export interface Renderer {
  /** @throws {TemplateFault} */
  template(source: string, kind: TemplateKind): Template
  check(content: Content): DomainError | undefined
}

export interface RendererOptions {
  /** The number of cached templates of each kind. */
  readonly maxEntries?: number
}

const maxBytes: Record<TemplateKind, number> = { subject: 8 * 1_048_576, html: 64 * 1_048_576 }

export function createRenderer({ maxEntries = 1_000 }: RendererOptions = {}): Renderer {
  const formats = createFormats()
  const caches: Record<TemplateKind, LRUCache<string, Template>> = {
    subject: createCache(maxEntries, maxBytes.subject),
    html: createCache(maxEntries, maxBytes.html),
  }

  // The source itself is the key: with a hash, an attacker could craft a source that collides with another tenant's.
  const template = (source: string, kind: TemplateKind): Template => {
    const known = caches[kind].get(source)
    if (known !== undefined) return known
    const made = compileTemplate(source, kind, formats)
    caches[kind].set(source, made)
    return made
  }

  return { template, check: (content) => checkTemplates(content, template) }
}

const createCache = (max: number, maxSize: number) =>
  // A template may be empty, but its size must not be 0.
  new LRUCache<string, Template>({ max, maxSize, sizeCalculation: ({ weight }) => weight + 1 })
