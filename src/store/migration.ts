/** One step of the schema. A released migration never changes: a database remembers the hash of its text. */
export interface Migration {
  readonly name: string
  readonly sql: string
}
