import type { Args, Io } from "./args.ts"

/** The result of a command on standard output: text for people, with `--json` one JSON document (contract A8.1). */
export function answer(io: Io, args: Pick<Args, "json">, value: unknown, text: string): void {
  io.stdout(`${args.json ? JSON.stringify(value) : text}\n`)
}
