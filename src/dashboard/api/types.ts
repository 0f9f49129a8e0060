import type { Static, TSchema } from "@sinclair/typebox"

export type { CursorPage, PageList } from "../../http/page.ts"

/** The type of a schema of the server. It is data of a cache or form, and never mutated. */
export type Wire<S extends TSchema> = Frozen<Static<S>>

/** The same value, read-only at every depth. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T

/** A map of JSON values, such as the custom fields of a contact. */
export type Data = Readonly<Record<string, unknown>>

/** All values of a union, in the order of the keys of a record that must have all of them. */
export const valuesOf = <T extends string>(names: Readonly<Record<T, unknown>>): readonly T[] =>
  Object.keys(names) as T[]
