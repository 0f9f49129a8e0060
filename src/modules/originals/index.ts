export { originalContent } from "./content.ts"
export { createOriginals } from "./module.ts"
export {
  deleteOriginals,
  deleteRaw,
  deleteUnusedOriginals,
  findOriginal,
  listOriginalSizes,
  listOriginals,
  readOriginals,
  saveOriginal,
} from "./store.ts"
export { capturedTable, rawMessageTable } from "./table.ts"
