import { isObject } from "../../kernel/json.ts"
import { walk } from "./values.ts"

/** The variables that a template refers to, as far as the source shows. */
export interface Usage {
  /** Names at top level. */
  readonly roots: ReadonlySet<string>
  /** The path from the variables to every value that is read. */
  readonly paths: readonly (readonly string[])[]
  /** True when it iterates over the variables themselves (`{{#each this}}`), and so may use any of them. */
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

/** A compiled template, or anything else that has a `Usage`. */
interface Uses {
  readonly variables: Usage
}

/**
 * The variables that the templates use; they render the same with these. `data`, which repeats the custom fields
 * (contract A3.4), is reduced to the fields in use.
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

/** The paths without a value, as written in a tag, in the order of their first use. */
export function missingVariables(templates: readonly Uses[], variables: Record<string, unknown>): string[] {
  const paths = templates.flatMap((template) => template.variables.paths)
  const missing = paths.filter((path) => (walk(variables, path) ?? null) === null)
  return [...new Set(missing.map(dotted))]
}

/** A path in the syntax of a tag. */
export const dotted = (path: readonly string[]): string =>
  path.map((key) => (plainKey.test(key) ? key : `[${key}]`)).join(".")

/** A key that needs no brackets: no white space, no character with a meaning in a tag, and no keyword. */
const plainKey = /^(?!(?:this|else)$)[^\s!"#%-,./;-@[-^`{-~]+$/
