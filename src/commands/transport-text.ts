import { readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * The text of `src/mail/transport.ts`. Imported with `{ type: "macro" }`, so that it is read while the program is
 * built: one bundle cannot import a module both as text and as code.
 */
export const transportText = (): string => readFileSync(join(import.meta.dir, "../mail/transport.ts"), "utf8")
