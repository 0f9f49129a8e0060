export { createSubmission } from "./module.ts"
