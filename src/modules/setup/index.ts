export { createSetup } from "./module.ts"
