import { type Column, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm"

/** Raw SQL that differs between databases lives in this file and nowhere else (design 4). */

/** Whether a text column contains the given text, literally and without regard to the case of ASCII letters. */
export const containsText = (column: Column, text: string): SQL => {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`
  return sql`${column} LIKE ${pattern} ESCAPE '\\'`
}

/** Whether a text column contains the text of a placeholder, to the letter. */
export const holdsText = (column: Column, text: Placeholder): SQL => sql`instr(${column}, ${text}) > 0`

/** Whether a flag is set or not, written out: with a parameter in its place partial indexes are not found. */
export const isFlag = (column: Column, value: boolean): SQL => sql`${column} = ${sql.raw(value ? "1" : "0")}`

/** The column as a mere value, by which no index is chosen. */
export const unindexed = (column: Column): SQL => sql`+${column}`

/**
 * Whether a column has one of the values of a list, which comes as JSON: the statement is the same for any number. Where
 * the column leads to its rows by itself, the project beside it is to be `unindexed`, or all of the project is looked at.
 */
export const isOneOf = (column: Column, list: Placeholder): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${list}))`

/** The greater of a number in a column and another. */
export const greaterOf = (column: Column, other: number): SQL => sql`max(${column}, ${other})`

// Values inside a JSON column. Names lead through objects, never into arrays and texts.

/** The way to a value inside a JSON document, as the functions below take it. */
export const jsonPath = (names: readonly string[]): string =>
  `$${names.map((name) => `.${JSON.stringify(name)}`).join("")}`

/** Whether there is a value, be it null. */
export const hasJson = (column: Column, path: Placeholder): SQL => sql`json_type(${column}, ${path}) IS NOT NULL`

/** The JSON type of a value as one of these words; null where there is none. */
export const jsonTypeOf = (column: Column, path: Placeholder) =>
  sql<"number" | "string" | "boolean" | "null" | "object" | "array" | null>`CASE json_type(${column}, ${path})
    WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'text' THEN 'string'
    WHEN 'true' THEN 'boolean' WHEN 'false' THEN 'boolean' ELSE json_type(${column}, ${path}) END`

/** A number or text as such, a boolean as 0 or 1. */
export const jsonValueOf = (column: Column, path: Placeholder) =>
  sql<string | number | null>`json_extract(${column}, ${path})`

export const withoutJson = (column: Column, path: Placeholder): SQL => sql`json_remove(${column}, ${path})`

// An index of trigrams: it finds texts by any three characters in a row, in any case.

/** Every run of three characters of a text, each once. */
export const trigramsOf = (text: string): string[] => [
  ...new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3))),
]

/** What to ask a trigram index for texts that have all of these, in whatever order. */
export const allOf = (trigrams: readonly string[]): string =>
  trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(" AND ")

export const hasTrigrams = (index: SQLWrapper, trigrams: Placeholder): SQL => sql`${index} MATCH ${trigrams}`
