export { createAlerts } from "./module.ts"
export type { instanceAlertSchema } from "./routes.ts"
