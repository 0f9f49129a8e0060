export { originalContent } from "./content.ts"
export { createOriginals } from "./module.ts"
export { dropUnused, findOriginal, saveOriginal } from "./store.ts"
export { capturedTable, rawMessageTable } from "./table.ts"
