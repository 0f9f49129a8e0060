import { type Column, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/** Raw SQL that differs between databases lives in this file and nowhere else: another engine replaces it. */

/**
 * Whether a text column contains the given text, literally and without regard to case: a letter stands for all with
 * the same letter as upper case, though A to Z only for each other, and ß is ss.
 */
export function containsText(column: Column | SQL, text: string): SQL {
  // Patterns end at NUL, and are refused over 50,000 bytes.
  if (text.includes("\0") || text.length > longestText) return sql`0`
  const whole = /ss|[ßẞ]/i.test(text) ? sql`replace(replace(${column}, 'ß', 'ss'), 'ẞ', 'ss')` : column
  const part = text.replace(/[ßẞ]/g, "ss")
  // LIKE knows the cases of A to Z. GLOB is half as fast, and knows none: each is spelled out.
  if (isAscii(part)) return sql`${whole} LIKE ${`%${part.replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`
  return sql`${whole} GLOB ${`*${Array.from(part, anyCaseOf).join("")}*`}`
}

/** Whether a JSON document has the text in one of its texts or numbers, at any depth; names do not count. */
export function hasTextValue(document: Column, text: string): SQL {
  const atom = sql`"node"."atom"`
  const inValue = sql`EXISTS (SELECT 1 FROM json_tree(${document}) AS "node" WHERE "node"."type" IN ('text', 'integer', 'real') AND ${containsText(atom, text)})`
  // Most documents are ruled out by their JSON, which has letters and digits as they are.
  return /^[\p{L}\p{N} @._-]+$/u.test(text) ? sql`(${containsText(document, text)} AND ${inValue})` : inValue
}

/** Longer than any subject of a mail. */
const longestText = 2_000

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)
const upperOf = (letter: string): string => letter.toLowerCase().toUpperCase()

/** Letters that share their upper case with others, but are neither it nor its lower case; those of A to Z aside. */
const strays = [..."ςµǅǈǋǲϐϑϕϖϰϱϴϵẛ\u0345\u1c80\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86\u1c87\u1c88\u1fbe\u2126\u212b"]

/** The pattern of a character in each of its cases. */
function anyCaseOf(letter: string): string {
  const upper = upperOf(letter)
  const cases = new Set([letter, upper, letter.toLowerCase(), upper.toLowerCase()])
  for (const stray of strays) if (upperOf(stray) === upper) cases.add(stray)
  const single = [...cases].filter((one) => [...one].length === 1)
  return single.length > 1 || "*?[".includes(letter) ? `[${single.join("")}]` : letter
}

/** Whether a text column contains a text, literally. */
export const holdsText = (column: Column, text: Placeholder | string): SQL => sql`instr(${column}, ${text}) > 0`

/** Whether a flag is set or not, written out: with a parameter in its place partial indexes are not found. */
export const isFlag = (column: Column, value: boolean): SQL => sql`${column} = ${sql.raw(value ? "1" : "0")}`

/** True, unless a read on the pool takes longer than it may: then it ends the read. No other connection knows it. */
export const isInTime = sql`in_time()`

/**
 * A text parameter of a prepared join. SQLite plans a join anew whenever a value is bound to a parameter that it compares a
 * column with, which takes ten times as long as to run it; of what the parameter is made into it does not want to know.
 */
export const boundText = (name: string): SQL => sql`CAST(${sql.placeholder(name)} AS TEXT)`

/** The column as a mere value, by which no index is chosen. */
export const unindexed = (column: Column): SQL => sql`+${column}`

/**
 * Whether a column has one of the values of a list, which comes as JSON: the statement is the same for any number. Where
 * the column leads to its rows by itself, the project beside it is to be `unindexed`, or all of the project is looked at.
 */
export const isOneOf = (column: Column, list: Placeholder): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${list}))`

/** The arrays of a list, which comes as JSON, as rows to select from: `itemOf` reads their items. */
export const arraysIn = (list: Placeholder): SQL => sql`json_each(${list})`

/** An item of the array at hand, in a query over `arraysIn`. */
export const itemOf = (place: number): SQL => sql.raw(`json_extract(value, '$[${place}]')`)

/** The items of a JSON list as rows, for `itemOf`. */
export const itemsOf = (list: Placeholder): SQL => sql`json_each(${list})`

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

// Comparisons of a value inside a JSON column; null where there is no value, or JSON's null.

/**
 * The value as JSON text. What is stored was written by `JSON.stringify`, which has one text for each value: equal texts
 * are equal values of one type. Reading the document anew costs little: SQLite keeps what it parsed last.
 */
const jsonText = (document: SQLWrapper, path: string): SQL => sql`nullif(${document} -> ${path}, 'null')`

/** A text as the functions for JSON read it: a lone surrogate among them, which no parameter can carry. */
const decoded = (text: string): SQL => sql`json_extract(${JSON.stringify(text)}, '$')`

export const isJsonPresent = (document: SQLWrapper, path: string): SQL =>
  sql`nullif(json_type(${document}, ${path}), 'null') IS NOT NULL`

/** Whether the value is of the same type and equal. */
export const equalsJson = (document: SQLWrapper, path: string, value: string | number | boolean): SQL =>
  sql`${jsonText(document, path)} = ${JSON.stringify(value)}`

/**
 * Whether the value is a text that contains `part`, A to Z without case; `part` has them in lower case. JSON text that
 * has the JSON text of the part is one that contains it, but for escapes, of which a part may seem to be found in the
 * midst: only then the text itself is searched. `instr` compares whole blocks where LIKE goes character by character.
 */
export function jsonContains(document: SQLWrapper, path: string, part: string): SQL {
  const text = jsonText(document, path)
  const isText = sql`substr(${text}, 1, 1) = '"'`
  const hasEncoded = sql`instr(lower(${text}), ${JSON.stringify(part).slice(1, -1)}) > 0`
  const hasPart = sql`instr(json_extract(lower(${document} -> ${path}), '$'), ${decoded(part)}) > 0`
  return sql`(${isText} AND ${hasEncoded} AND (instr(${document} -> ${path}, '\\') = 0 OR ${hasPart}))`
}

export type Comparison = "<" | "<=" | ">" | ">="

/** Numbers by value, as the doubles that they were when they were written; texts by code point; false for the rest. */
export function comparesJson(document: SQLWrapper, path: string, sign: Comparison, value: string | number): SQL {
  const stored = sql`json_extract(${document}, ${path})`
  const type = sql`json_type(${document}, ${path})`
  return typeof value === "string"
    ? sql`(${stored} ${sql.raw(sign)} ${decoded(value)} AND ${type} = 'text')`
    : sql`(CAST(${stored} AS REAL) ${sql.raw(sign)} ${value} AND ${type} IN ('integer', 'real'))`
}

/**
 * Whether the value is a text `YYYY-MM-DDTHH:MM:SSZ` or `YYYY-MM-DDTHH:MM:SS.sssZ` of a real time that is at least, or
 * is below, an instant in ms; else false or null. Such texts sort as the times do once the Z is off. `CASE` looks no
 * further than it must, which `AND` does in a condition only; with a modifier `date` puts right whatever is no real day.
 */
export function comparesJsonTime(document: SQLWrapper, path: string, sign: "<" | ">=", at: number): SQL {
  return sql`(SELECT CASE WHEN rtrim(value, 'Z"') ${sql.raw(sign)} ${`"${timeText(at)}`}
    AND (value GLOB '"????-??-??T??:??:??Z"' OR value GLOB '"????-??-??T??:??:??.[0-9][0-9][0-9]Z"')
    THEN date(substr(value, 2, 19), '+0 days') = substr(value, 2, 10) END
    FROM (SELECT ${document} -> ${path} AS value))`
}

/** The least text of a time that is not before an instant; before the year 0 all are after it, after 9999 none. */
function timeText(at: number): string {
  const ms = Math.ceil(at)
  if (ms < firstTime) return ""
  if (ms > lastTime) return "~"
  return new Date(ms).toISOString().slice(0, ms % 1_000 === 0 ? 19 : 23)
}

const firstTime = Date.parse("0000-01-01T00:00:00.000Z")
const lastTime = Date.parse("9999-12-31T23:59:59.999Z")

// An index of trigrams: it finds texts by any three characters in a row, in any case.

/** Every run of three characters of a text, each once. */
export const trigramsOf = (text: string): string[] => [
  ...new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3))),
]

/** What to ask a trigram index for texts that have all of these, in whatever order. */
export const allOf = (trigrams: readonly string[]): string =>
  trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(" AND ")

/** A trigram index over one column, by row number. A query can match its rows, but not read their text. */
export const trigramTable = (name: string, column: string) =>
  sqliteTable(name, { seq: integer("rowid"), text: text(column) })

export const hasTrigrams = (index: SQLWrapper, trigrams: Placeholder): SQL => sql`${index} MATCH ${trigrams}`
