import { isObject } from "../../kernel/json.ts"
import { walk } from "./values.ts"

/** Which of the variables a template refers to, as far as its source tells. */
export interface Usage {
  /** Names at top level. */
  readonly roots: ReadonlySet<string>
  /** Keys from the variables to every value that is read. */
  readonly paths: readonly (readonly string[])[]
  /** True when it walks over the variables themselves (`{{#each this}}`), and so may use any of them. */
  readonly dynamic: boolean
}

export interface UsageNotes {
  note(path: readonly string[]): void
  result(): Usage
}

export function createUsageNotes(): UsageNotes {
  const roots = new Set<string>()
  const paths = new Map<string, readonly string[]>()
  let dynamic = false
  return {
    note(path) {
      const [root] = path
      if (root === undefined) dynamic = true
      else {
        roots.add(root)
        paths.set(JSON.stringify(path), path)
      }
    },
    result: () => ({ roots, paths: [...paths.values()], dynamic }),
  }
}

/** A compiled template, or whatever else tells what it uses. */
export interface Uses {
  readonly variables: Usage
}

/**
 * The variables without those that none of the templates uses: they render the same with what is left. Of `data`, which
 * repeats the custom fields (contract A3.4), only the fields used are kept.
 */
export function pickVariables<T>(templates: readonly Uses[], variables: Record<string, T>): Record<string, T> {
  const usages = templates.map((template) => template.variables)
  if (usages.some((usage) => usage.dynamic)) return variables
  const picked = pick(variables, new Set(usages.flatMap((usage) => [...usage.roots])))
  const data = picked.data
  const fields = usages.flatMap((usage) => usage.paths.filter(([root]) => root === "data")).map(([, field]) => field)
  if (!isObject(data) || fields.includes(undefined)) return picked
  return { ...picked, data: pick(data, new Set(fields)) as T }
}

/** A key named `__proto__` stays an own property: entries are defined, not assigned. */
const pick = <T>(from: Record<string, T>, names: ReadonlySet<string | undefined>): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)))

/** The paths used that lead to no value, as written in a tag, in the order of their first use. */
export function missingVariables(templates: readonly Uses[], variables: Record<string, unknown>): string[] {
  const paths = templates.flatMap((template) => template.variables.paths)
  const missing = paths.filter((path) => (walk(variables, path) ?? null) === null)
  return [...new Set(missing.map(dotted))]
}

/** A path as one writes it in a tag. */
export const dotted = (path: readonly string[]): string =>
  path.map((key) => (plainKey.test(key) ? key : `[${key}]`)).join(".")

/** Anything but white space and signs that mean something in a tag; words of the language stand in brackets too. */
const plainKey = /^(?!(?:this|else)$)[^\s!"#%-,./;-@[-^`{-~]+$/
