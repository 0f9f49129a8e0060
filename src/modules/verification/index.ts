export { createVerification } from "./module.ts"
