import type { Field } from "../../api/contacts.ts"

/**
 * Names that a template reads as a helper, a block or a built-in, not as a field (contract A3.1, A3.3, contract A3.4).
 */
const calls =
  "eq ne gt gte lt lte and or not upper lower capitalize default truncate join formatDate formatNumber urlencode if unless each with".split(
    " ",
  )
const builtIn =
  "id svc_id email svc_email subscribed locale unsubscribeUrl subscribeUrl manageUrl event workflow data".split(" ")
/** Names that have another meaning unless they are in brackets. */
const keywords = ["this", "else"]

const plain = /^[^\s!"#%-,./;->?@[-^`{-~]+$/
/** Characters that cannot be in brackets. */
const unwritable = /[\]\r\n\u2028\u2029]|\\$/

/**
 * A key of `data` in the syntax of a template: some need brackets, some the prefix `data.`. Null when no tag can
 * express it.
 */
export function pathOf(key: string): string | null {
  if (unwritable.test(key)) return null
  const name = plain.test(key) && !keywords.includes(key) ? key : `[${key}]`
  return calls.includes(key) || builtIn.includes(key) ? `data.${name}` : name
}

/** A field of the catalogue in the syntax of a template; null when no tag can express it. */
export function variableOf({ field, isCustom }: Pick<Field, "field" | "isCustom">): string | null {
  if (isCustom) return pathOf(field.slice("data.".length))
  return builtIn.includes(field) ? field : null
}

/** The custom field that a path in a tag reads; null when it reads none (contract A3.4). */
function fieldOf(path: string): string | null {
  const [, prefix, bracketed, root = bracketed ?? ""] = /^(data\.)?(?:\[([^\]]*)\]|([^.]+))/.exec(path) ?? []
  return prefix === undefined && builtIn.includes(root) ? null : root || null
}

/** The custom fields that these paths read, and that no contact ever had. */
export function fieldsOfNobody(paths: readonly string[], fields: readonly Pick<Field, "field">[]): string[] {
  const held = new Set(fields.map(({ field }) => field))
  const read = new Set(paths.flatMap((path) => fieldOf(path) ?? []))
  return [...read].filter((key) => !held.has(`data.${key}`))
}

const comments = /\{\{~?!(?:--.*?--~?|.*?)\}\}/gs
/** Tags that print, with the path and, after `??`, the fallback. */
const prints = /\{\{(?![~\s]*(?:[#/^]|else\b))[~{&]*((?:"[^"]*"|'[^']*'|\[[^\]]*\]|[^{}?"'[]|\?(?!\?))*)(\?\?)?/g
const quoted = /"[^"]*"|'[^']*'/g

/** Whether every tag that prints the variable has a fallback. */
export function hasFallback(source: string, path: string): boolean {
  const written = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const named = new RegExp(`(?<![^\\s(=~])${written}(?![^\\s)~}])`)
  const tags = [...source.replace(comments, "").matchAll(prints)].filter(([, read = ""]) =>
    named.test(read.replace(quoted, '""')),
  )
  return tags.length > 0 && tags.every(([, read = "", fallback]) => fallback !== undefined && read.trim() === path)
}
