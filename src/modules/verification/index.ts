export type { Verification, Verified } from "./actions.ts"
export { createVerification } from "./module.ts"
