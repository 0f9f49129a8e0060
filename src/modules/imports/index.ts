export { createImports } from "./module.ts"
export type { importSchema } from "./wire.ts"
