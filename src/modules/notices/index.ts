export { createNotices } from "./module.ts"
