import { type Column, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { idEncoder, isId } from "./columns.ts"
import { casesOf, isAscii, longestText } from "./letter-cases.ts"

/** All raw SQL that differs between databases. Another engine replaces this file. */

/**
 * Whether a text column contains the given text, literally and without regard to case: letters with the same upper case
 * match each other, except that A to Z match only each other; ß matches ss.
 */
export function containsText(column: Column | SQL, text: string): SQL {
  // SQLite ends patterns at NUL and refuses those over 50,000 bytes.
  if (text.includes("\0") || text.length > longestText) return sql`0`
  const whole = /ss|[ßẞ]/i.test(text) ? sql`replace(replace(${column}, 'ß', 'ss'), 'ẞ', 'ss')` : column
  const part = text.replace(/[ßẞ]/g, "ss")
  // LIKE ignores the case of A to Z. GLOB is half as fast and case-sensitive, so every case is spelled out.
  if (isAscii(part)) return sql`${whole} LIKE ${`%${part.replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`
  return sql`${whole} GLOB ${`*${Array.from(part, anyCaseOf).join("")}*`}`
}

/** Whether one of the strings or numbers of a JSON document contains the text, at any depth; keys are not searched. */
export function hasTextValue(document: Column, text: string): SQL {
  const atom = sql`"node"."atom"`
  const inValue = sql`EXISTS (SELECT 1 FROM json_tree(${document}) AS "node" WHERE "node"."type" IN ('text', 'integer', 'real') AND ${containsText(atom, text)})`
  // The JSON text, which has letters and digits unescaped, excludes most documents.
  return /^[\p{L}\p{N} @._-]+$/u.test(text) ? sql`(${containsText(document, text)} AND ${inValue})` : inValue
}

/** The pattern for a character in all of its cases. */
function anyCaseOf(letter: string): string {
  const cases = casesOf(letter)
  return cases.length > 1 || "*?[".includes(letter) ? `[${cases.join("")}]` : letter
}

/** Whether a text column contains a text, literally. */
export const holdsText = (column: Column, text: Placeholder | string): SQL => sql`instr(${column}, ${text}) > 0`

/** What follows the @ of an email address in canonical form. */
export const domainOfAddress = (column: Column) => sql<string>`substr(${column}, instr(${column}, '@') + 1)`

/** What tells the rows of a table apart, whatever its keys are. */
export const rowNumber = sql<number>`rowid`

/** The bytes of a text or blob, which is not read for it. */
export const byteLength = (column: Column) => sql<number>`octet_length(${column})`

/** Compares a flag with a literal, because partial indexes are not used with a parameter. */
export const isFlag = (column: Column, value: boolean): SQL => sql`${column} = ${sql.raw(value ? "1" : "0")}`

/**
 * Always true; ends a read on the pool that exceeds its time limit. Only connections of the pool have this function.
 */
export const isInTime = sql`in_time()`

/** The same, asked for every fourth row of a scan by a whole number that begins at 1: asking takes a fifth of reading a row. */
export const isInTimeAt = (number: Column): SQL => sql`((${number} & 3) <> 1 OR in_time())`

/**
 * How many records of a block contain the text, as `containsText` tells (text-block.ts). Only connections of the pool
 * have this function.
 */
export const countRecords = (own: Column, shared: Column, starts: Column, text: string) =>
  sql<number>`count_records(CAST(${own} AS BLOB), CAST(${shared} AS BLOB), ${starts}, ${text})`

/** An id as a value of raw SQL, where no column tells how it is stored; an expression is given back. */
export const idValue = (id: string | SQL): SQL => (typeof id === "string" ? sql`${sql.param(id, idEncoder)}` : id)

/** The placeholder of an id: Drizzle does not ask the column how the value of a placeholder is stored. */
export const idParam = (name: string): SQL => sql`${sql.param(sql.placeholder(name), idEncoder)}`

/**
 * An id as a parameter of a prepared join. SQLite plans a join again each time a value is bound to a parameter that is
 * compared with a column, which takes ten times as long as running it; it does not for an expression of the parameter.
 */
export const boundId = (name: string): SQL => sql`CAST(${idParam(name)} AS BLOB)`

/** The column as an expression, so that no index on it is used. */
export const unindexed = (column: Column): SQL => sql`+${column}`

/** Whether the column has a value, without use of an index on it. */
export const isUnindexed = (column: Column, value: string | SQL): SQL =>
  sql`${unindexed(column)} = ${typeof value === "string" ? sql.param(value, column) : value}`

/** Whether the id in a column was made before another one, without use of an index on it. */
export const isMadeBefore = (column: Column, other: string): SQL =>
  sql`${unindexed(column)} < ${sql.param(other, column)}`

/**
 * Whether a column has one of the values of a list. The list is passed as JSON, so the statement is the same for any
 * length. Where the column has an index of its own, compare the project as `unindexed`, or the whole project is
 * scanned.
 */
export const isOneOf = (column: Column, list: Placeholder | string): SQL =>
  sql`${column} IN (SELECT ${sql.raw(isId(column) ? idIn("value") : "value")} FROM json_each(${list}))`

/** The items of a JSON list as rows to select from: numbers, texts, ids or arrays, which the following read. */
export const itemsOf = (list: Placeholder): SQL => sql`json_each(${list})`

/** The current item, a number or a text, in a query over `itemsOf`. */
export const item: SQL = sql.raw("value")

/** The current item, an id. */
export const idItem: SQL = sql.raw(idIn("value"))

/** A member of the current item, an array. */
export const itemOf = (place: number): SQL => sql.raw(memberAt(place))

/** The same for a member that is an id, or null. */
export const idItemOf = (place: number): SQL => sql.raw(idIn(memberAt(place)))

function memberAt(place: number): string {
  return `json_extract(value, '$[${place}]')`
}

/** The stored form (columns.ts) of an id that is the value of an expression. */
function idIn(text: string): string {
  return `unhex(${text}, '-')`
}

// Values inside a JSON column. Paths lead through objects only, never into arrays or strings.

/** The path of a value inside a JSON document, for the functions below. */
export const jsonPath = (names: readonly string[]): string =>
  `$${names.map((name) => `.${JSON.stringify(name)}`).join("")}`

/** Whether there is a value; null counts as one. */
export const hasJson = (column: Column, path: Placeholder | string): SQL =>
  sql`json_type(${column}, ${path}) IS NOT NULL`

/** The JSON type of a value as one of these words; null where there is none. */
export const jsonTypeOf = (column: Column, path: Placeholder | string) =>
  sql<"number" | "string" | "boolean" | "null" | "object" | "array" | null>`CASE json_type(${column}, ${path})
    WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'text' THEN 'string'
    WHEN 'true' THEN 'boolean' WHEN 'false' THEN 'boolean' ELSE json_type(${column}, ${path}) END`

/** A number or string as it is, a boolean as 0 or 1. */
export const jsonValueOf = (column: Column, path: Placeholder | string) =>
  sql<string | number | null>`json_extract(${column}, ${path})`

export const withoutJson = (column: Column, path: Placeholder): SQL => sql`json_remove(${column}, ${path})`

/** The members of the object in a JSON column, as rows to join: `memberKey` reads their keys. */
export const membersOf = (column: SQLWrapper): SQL => sql`json_each(${column}) AS "member"`

/** The key of the current member, in a query over `membersOf`. */
export const memberKey = sql<string>`"member"."key"`

/** How many items a list inside a JSON column has; null where there is no list. */
export const jsonLength = (column: Column, path: string) => sql<number | null>`json_array_length(${column}, ${path})`

// Comparisons of a value inside a JSON column; null where there is no value, or JSON's null.

/**
 * The value as JSON text. Stored documents were written by `JSON.stringify`, which has one text for each value, so
 * equal texts are equal values of the same type. Parsing the document again costs little, because SQLite caches the
 * last ones.
 */
const jsonText = (document: SQLWrapper, path: string): SQL => sql`nullif(${document} -> ${path}, 'null')`

/** A text decoded by SQLite's JSON functions, so that it may contain a lone surrogate, which a parameter cannot. */
const decoded = (text: string): SQL => sql`json_extract(${JSON.stringify(text)}, '$')`

export const isJsonPresent = (document: SQLWrapper, path: string): SQL =>
  sql`nullif(json_type(${document}, ${path}), 'null') IS NOT NULL`

/** Whether the value is of the same type and equal. */
export const equalsJson = (document: SQLWrapper, path: string, value: string | number | boolean): SQL =>
  sql`${jsonText(document, path)} = ${JSON.stringify(value)}`

/**
 * True where a value under this key may be equal, false where none is: looks at the text of the document, which takes a
 * quarter of the time of parsing it. GLOB skips to the first character of the pattern, so it begins with a rare one.
 */
export function mayEqualJson(document: SQLWrapper, key: string, value: string | number | boolean): SQL {
  const name = JSON.stringify(key).slice(1)
  const entry = `${name.slice(rarestAt(name))}:${JSON.stringify(value)}`
  if (entry.length > longestText) return sql`1`
  return sql`${document} GLOB ${`*${entry.replace(/[*?[]/g, "[$&]")}*`}`
}

/** Where the rarest letter of a name is; 0 when it has none. */
function rarestAt(name: string): number {
  const found = Array.from(fromRareToCommon, (letter) => name.indexOf(letter)).find((at) => at >= 0)
  return found ?? 0
}

/** The letters of English words. */
const fromRareToCommon = "zqxjkvbwyfgpmuclhdrsnioate"

/**
 * Whether the value is a string that contains `part`, ignoring the case of A to Z, which `part` has in lower case. The
 * JSON text of the value is searched for that of the part; the decoded string is searched only if there are escapes, in
 * the middle of which the part could seem to match. `instr` compares blocks and is faster than LIKE.
 */
export function jsonContains(document: SQLWrapper, path: string, part: string): SQL {
  const text = jsonText(document, path)
  const isText = sql`substr(${text}, 1, 1) = '"'`
  const hasEncoded = sql`instr(lower(${text}), ${JSON.stringify(part).slice(1, -1)}) > 0`
  const hasPart = sql`instr(json_extract(lower(${document} -> ${path}), '$'), ${decoded(part)}) > 0`
  return sql`(${isText} AND ${hasEncoded} AND (instr(${document} -> ${path}, '\\') = 0 OR ${hasPart}))`
}

export type Comparison = "<" | "<=" | ">" | ">="

/** Compares numbers by value, as the doubles that were written, and strings by code point; false for other types. */
export function comparesJson(document: SQLWrapper, path: string, sign: Comparison, value: string | number): SQL {
  const stored = sql`json_extract(${document}, ${path})`
  const type = sql`json_type(${document}, ${path})`
  return typeof value === "string"
    ? sql`(${stored} ${sql.raw(sign)} ${decoded(value)} AND ${type} = 'text')`
    : sql`(CAST(${stored} AS REAL) ${sql.raw(sign)} ${value} AND ${type} IN ('integer', 'real'))`
}

/**
 * Whether the value is a valid time `YYYY-MM-DDTHH:MM:SSZ` or `YYYY-MM-DDTHH:MM:SS.sssZ` that is at least, or is below,
 * an instant in ms; otherwise false or null. Without the Z such texts sort like the times. `CASE` always stops at the
 * first match, whereas `AND` does so only in a condition; `date` with a modifier normalizes invalid days, which then
 * differ from the text.
 */
export function comparesJsonTime(document: SQLWrapper, path: string, sign: "<" | ">=", at: number): SQL {
  return sql`(SELECT CASE WHEN rtrim(value, 'Z"') ${sql.raw(sign)} ${`"${timeText(at)}`}
    AND (value GLOB '"????-??-??T??:??:??Z"' OR value GLOB '"????-??-??T??:??:??.[0-9][0-9][0-9]Z"')
    THEN date(substr(value, 2, 19), '+0 days') = substr(value, 2, 10) END
    FROM (SELECT ${document} -> ${path} AS value))`
}

/**
 * The smallest text of a time at or after an instant. All texts are after instants before the year 0, none are after
 * those beyond 9999.
 */
function timeText(at: number): string {
  const ms = Math.ceil(at)
  if (ms < firstTime) return ""
  if (ms > lastTime) return "~"
  return new Date(ms).toISOString().slice(0, ms % 1_000 === 0 ? 19 : 23)
}

const firstTime = Date.parse("0000-01-01T00:00:00.000Z")
const lastTime = Date.parse("9999-12-31T23:59:59.999Z")

// A trigram index finds texts by any three consecutive characters, ignoring case.

/** Every run of three characters of a text, each once. */
export const trigramsOf = (text: string): string[] => [
  ...new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3))),
]

/** The query for texts that contain all of these trigrams, in any order. */
export const allOf = (trigrams: readonly string[]): string =>
  trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(" AND ")

/** A trigram index over one column, by row number. It stores no text: a query can match its rows but not read them. */
export const trigramTable = (name: string, column: string) =>
  sqliteTable(name, { seq: integer("rowid"), text: text(column) })

export const hasTrigrams = (index: SQLWrapper, trigrams: Placeholder): SQL => sql`${index} MATCH ${trigrams}`
