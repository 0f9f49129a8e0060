import { Column, fillPlaceholders, is, Param, Placeholder, SQL } from "drizzle-orm"

type Values = Record<string, unknown>
type Row = readonly unknown[]

/** What Drizzle prepares. */
export interface PreparedQuery<R> {
  execute(values?: Values): Promise<R> | R
}

/** What a prepared query of Drizzle for SQLite has, beside its interface. */
interface Internals {
  readonly executeMethod: "run" | "all" | "get"
  readonly query: { readonly sql: string; readonly params: readonly unknown[] }
  readonly logger: { logQuery(sql: string, params: readonly unknown[]): void }
  readonly stmt: { run(...params: unknown[]): unknown; values(...params: unknown[]): readonly Row[] }
  readonly fields?: readonly { readonly path: readonly string[]; readonly field: unknown }[]
  readonly customResultMapper?: (rows: readonly Row[]) => unknown
}

/**
 * A prepared query as a function of the values of its placeholders. Writes, and queries of flat rows, are run on the
 * statement itself, with lists of encoders and decoders that are made once: Drizzle looks for the kind of each parameter and
 * value again, which takes longer than reading a row. Any other query is left to Drizzle.
 */
export function quickQuery<R>(query: PreparedQuery<R>): (values: Values) => Promise<R> | R {
  const {
    executeMethod,
    query: built,
    stmt,
    logger,
    fields,
    customResultMapper,
  } = query as PreparedQuery<R> & Internals
  const decode = executeMethod === "all" && fields ? decoderOfRows(fields) : undefined
  const isQuick = stmt !== undefined && customResultMapper === undefined && (executeMethod === "run" || decode)
  if (!isQuick) return (values) => query.execute(values)
  const bind = binderOf(built.params)
  return (values) => {
    const params = bind(values)
    logger.logQuery(built.sql, params)
    return (decode ? stmt.values(...params).map(decode) : stmt.run(...params)) as R
  }
}

/** Gives the parameters of a statement. @throws when a value is missing */
function binderOf(params: readonly unknown[]): (values: Values) => unknown[] {
  const sources = params.map((param) => {
    if (is(param, Placeholder)) return { name: param.name, encode: undefined, constant: undefined }
    if (is(param, Param) && is(param.value, Placeholder)) {
      const { encoder, value } = param
      const isPlain = is(encoder, Column) && encoder.mapToDriverValue === Column.prototype.mapToDriverValue
      return {
        name: value.name,
        encode: isPlain ? undefined : (given: unknown) => encoder.mapToDriverValue(given),
        constant: undefined,
      }
    }
    return { name: undefined, encode: undefined, constant: fillPlaceholders([param], {})[0] }
  })
  return (values) => {
    const bound = new Array<unknown>(sources.length)
    for (let at = 0; at < sources.length; at++) {
      const { name, encode, constant } = sources[at] as (typeof sources)[number]
      if (name === undefined) bound[at] = constant
      else {
        const value = values[name]
        if (value === undefined && !(name in values)) throw new Error(`The query lacks a value for ${name}.`)
        bound[at] = encode === undefined ? value : encode(value)
      }
    }
    return bound
  }
}

/** Makes an object of a row; undefined when the rows are not flat. */
function decoderOfRows(fields: NonNullable<Internals["fields"]>): ((row: Row) => Values) | undefined {
  const columns = fields.map(({ path, field }) => ({
    name: path[0] ?? "",
    depth: path.length,
    decode: decoderOf(field),
  }))
  if (columns.some(({ depth, decode }) => depth !== 1 || decode === undefined)) return undefined
  return (row) => {
    const found: Values = {}
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] as (typeof columns)[number]
      const value = row[at]
      found[column.name] = value === null || column.decode === asIs ? value : column.decode?.(value)
    }
    return found
  }
}

type Decode = (value: unknown) => unknown
const asIs: Decode = (value) => value

function decoderOf(field: unknown): Decode | undefined {
  if (is(field, Column)) {
    const isPlain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    return isPlain ? asIs : (value) => field.mapFromDriverValue(value)
  }
  if (!is(field, SQL) && !is(field, SQL.Aliased)) return undefined
  const { decoder } = (is(field, SQL) ? field : field.sql) as unknown as { decoder: { mapFromDriverValue: Decode } }
  return (value) => decoder.mapFromDriverValue(value)
}
