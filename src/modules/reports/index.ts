export { createReports } from "./module.ts"
