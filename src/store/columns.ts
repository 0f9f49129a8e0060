import type { Column, DriverValueEncoder } from "drizzle-orm"
import { customType, integer, text } from "drizzle-orm/sqlite-core"
import { bytesOfId, idOfBytes } from "../kernel/ids.ts"

// The column types in use, so that no module names a type of the database.

/**
 * An id, stored as its 16 bytes: a message has about twenty ids in its row, its event and their indexes. SQLite keeps bytes
 * as they are in a column that is declared as text.
 */
export const uuid = customType<{ data: string; driverData: Uint8Array | string }>({
  dataType: () => "text",
  toDriver: storedId,
  fromDriver: idOfBytes,
})

/** The encoder of `uuid`, for raw SQL. */
export const idEncoder: DriverValueEncoder<unknown, unknown> = { mapToDriverValue: (id) => storedId(id as string) }

export const isId = (column: Column): boolean => column.dataType === "custom"

/** Values of prepared queries may be null although the type does not say so. */
function storedId(id: string): Uint8Array | string {
  return id === null ? id : bytesOfId(id)
}

export const string = (name: string) => text(name)
export const count = (name: string) => integer(name)
/** Integer milliseconds since the epoch. */
export const timeMs = (name: string) => integer(name)
export const flag = (name: string) => integer(name, { mode: "boolean" })
export const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>()
export const choice = <const T extends readonly [string, ...string[]]>(name: string, values: T) =>
  text(name, { enum: values as unknown as [T[number], ...T[number][]] })
