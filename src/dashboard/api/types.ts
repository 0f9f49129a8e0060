import type { Static, TSchema } from "@sinclair/typebox"

export type { CursorPage, PageList } from "../../http/page.ts"

/** What a schema of the server describes. It is data of a cache or of a form, and never changed in place. */
export type Wire<S extends TSchema> = Frozen<Static<S>>

/** The same value, read-only at every depth. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T

/** Values of the custom fields of a contact, and the like. */
export type Data = Readonly<Record<string, unknown>>

/** All values of a union, in the order of the keys of a record that must have each of them. */
export const valuesOf = <T extends string>(names: Readonly<Record<T, unknown>>): readonly T[] =>
  Object.keys(names) as T[]
