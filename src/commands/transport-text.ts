import { readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * The text of `src/mail/transport.ts`. Imported with `{ type: "macro" }`, so that it is read while the program is built: an
 * import as text cannot stand beside the imports of its types and functions in one bundle.
 */
export const transportText = (): string => readFileSync(join(import.meta.dir, "../mail/transport.ts"), "utf8")
