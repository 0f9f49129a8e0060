export { createUploads } from "./module.ts"
export type { uploadSchema } from "./routes.ts"
