import type { FieldType } from "../table.ts"

/** Fields that every contact has, outside its data. */
export const coreFields = {
  createdAt: "date",
  email: "string",
  subscribed: "boolean",
  updatedAt: "date",
} as const satisfies Record<string, FieldType>

type CoreField = keyof typeof coreFields

export type FieldName =
  | { readonly core: CoreField }
  /** What follows `data.`: a key, or the path to a value inside one. */
  | { readonly custom: string }

const prefix = "data."

/** A field as a path names it: `data.plan` and `plan` are the same, core fields go by their bare names (contract A5). */
export function parseField(given: string): FieldName {
  if (isCore(given)) return { core: given }
  return { custom: given.startsWith(prefix) ? given.slice(prefix.length) : given }
}

export const shownName = (name: FieldName): string => ("core" in name ? name.core : prefix + name.custom)

const isCore = (name: string): name is CoreField => Object.hasOwn(coreFields, name)
