export { createIncoming } from "./module.ts"
