export { createSetup, type setupSchema } from "./module.ts"
