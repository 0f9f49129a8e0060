import foundation from "./0000_foundation.sql" with { type: "text" }

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** In order, for ever: a migration that has been released never changes. The texts are inside the executable. */
export const migrations: readonly Migration[] = [{ name: "0000_foundation", sql: foundation }]
