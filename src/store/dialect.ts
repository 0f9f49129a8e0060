import { type Column, type SQL, sql } from "drizzle-orm"

/** Raw SQL that differs between databases lives in this file and nowhere else (design 4). */

/** Whether a text column contains the given text, literally and without regard to the case of ASCII letters. */
export const containsText = (column: Column, text: string): SQL => {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`
  return sql`${column} LIKE ${pattern} ESCAPE '\\'`
}
