export { createHosted } from "./module.ts"
export { badLinkResponse } from "./routes.ts"
