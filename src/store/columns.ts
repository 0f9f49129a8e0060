import { integer, text } from "drizzle-orm/sqlite-core"

/** The column types in use, so that no module names a type of the database. */
export const uuid = (name: string) => text(name)
export const string = (name: string) => text(name)
export const count = (name: string) => integer(name)
/** Integer milliseconds since the epoch. */
export const timeMs = (name: string) => integer(name)
export const flag = (name: string) => integer(name, { mode: "boolean" })
export const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>()
export const choice = <const T extends readonly [string, ...string[]]>(name: string, values: T) =>
  text(name, { enum: values as unknown as [T[number], ...T[number][]] })
