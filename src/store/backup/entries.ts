import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { databaseName } from "../database-file.ts"

/**
 * The entries of a backup, in this order: `backup.json`, `mode`, maybe `secret`, in an encrypted one the ACME account
 * and certificate of `tls/`, the files of `files/` and `imports/`, the database, `end.json`. Any other name is refused.
 * Other files of a data folder belong to the process that holds it, and are not backed up.
 */
export const headName = "backup.json"
export const endName = "end.json"
export const secretName = "secret"

export const modeName = "mode"

const innerNames = [
  /^tls\/(?:account|certificate)\.pem$/,
  /^files\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/,
  /^imports\/[0-9a-f-]{36}\.csv$/,
]

export const isFileName = (name: string): boolean => innerNames.some((pattern) => pattern.test(name))

export const isEntryName = (name: string): boolean =>
  [headName, endName, databaseName, modeName, secretName].includes(name) || isFileName(name)

/** The number of the format: a reader refuses a higher one. */
export const format = 1

const head = Type.Object({
  format: Type.Integer(),
  /** The version of Mailstead that took it. */
  version: Type.String({ pattern: "^[\\w.+-]{1,100}$" }),
  /** ISO 8601. Everything acknowledged before that is in it. */
  takenAt: Type.String(),
  mode: Type.Union([Type.Literal("serve"), Type.Literal("sandbox")]),
  /** The newest migration in the database. */
  level: Type.String(),
  /** Identifies the secret of the data folder without revealing it. */
  secretId: Type.String(),
  hasSecret: Type.Boolean(),
  /** Where the manual clock of a sandbox stands, in ISO 8601. */
  clock: Type.Optional(Type.String()),
})
export type Head = Static<typeof head>

const end = Type.Object({
  entries: Type.Integer(),
  bytes: Type.Integer(),
  /** The SHA-256 of the lines `SHA-256 of the content, two spaces, name, line feed` of all entries before it. */
  sha256: Type.String(),
})
export type End = Static<typeof end>

export function readHead(text: string): Head {
  const read = parsed(head, text)
  // What it holds is printed.
  for (const time of [read.takenAt, read.clock ?? read.takenAt])
    if (new Date(time).toISOString() !== time) throw new SyntaxError("Another form of time was expected")
  return read
}

export const readEnd = (text: string): End => parsed(end, text)

function parsed<S extends typeof head | typeof end>(schema: S, text: string): Static<S> {
  const value: unknown = JSON.parse(text)
  if (Value.Check(schema, value)) return value
  throw new SyntaxError("Another form was expected")
}
