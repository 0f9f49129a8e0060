import { useMemo } from "react"
import type { Field } from "../../api/contacts.ts"
import { useFields } from "../../queries/contacts.ts"
import { kindOfType, kinds } from "../data/kinds.ts"
import { variableOf } from "./variable-paths.ts"

export interface Variable {
  /** As written in a tag. */
  readonly name: string
  readonly detail: string
  readonly group: "field" | "contact" | "link"
}

const builtIn: readonly Variable[] = [
  { name: "email", detail: "Address", group: "contact" },
  { name: "id", detail: "Contact id", group: "contact" },
  { name: "subscribed", detail: "Yes or no", group: "contact" },
  { name: "locale", detail: "Language", group: "contact" },
  { name: "unsubscribeUrl", detail: "Unsubscribe page", group: "link" },
  { name: "subscribeUrl", detail: "Subscribe page", group: "link" },
  { name: "manageUrl", detail: "Preferences page", group: "link" },
]

/** The available variables: the fields of the project's contacts, the most common first, and the built-in ones. */
export function useVariables(): readonly Variable[] {
  const fields = useFields().data
  return useMemo(() => [...[...(fields ?? [])].sort(byCoverage).flatMap(entryOf), ...builtIn], [fields])
}

const byCoverage = (a: Field, b: Field): number => b.coverage - a.coverage

function entryOf(field: Field): Variable[] {
  const name = field.isCustom ? variableOf(field) : null
  return name === null ? [] : [{ name, detail: kinds[kindOfType(field.type)].name, group: "field" }]
}
