export type { configSchema } from "./document.ts"
export { createInstance } from "./module.ts"
export type { instanceProjectSchema, instanceSettingsSchema } from "./owner-routes.ts"
export type { InstanceInfo } from "./routes.ts"
