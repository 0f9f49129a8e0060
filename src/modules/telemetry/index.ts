export { createTelemetry } from "./module.ts"
