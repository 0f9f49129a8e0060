export { createInstance } from "./module.ts"
export type { InstanceInfo } from "./routes.ts"
