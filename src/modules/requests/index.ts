export { createRequests } from "./module.ts"
export type { requestSchema } from "./routes.ts"
