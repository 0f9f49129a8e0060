import type { Field } from "../../../api/contacts.ts"

/** The display name: a custom field without its prefix. */
export const nameOf = ({ field, isCustom }: Field): string => (isCustom ? field.slice("data.".length) : field)
