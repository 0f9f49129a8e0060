export { createRetention } from "./module.ts"
