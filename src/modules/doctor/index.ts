export { type Check, type Finding, fail } from "./check.ts"
export { createDoctor, type ExaminedParts, examine } from "./module.ts"
export type { doctorCheckSchema } from "./routes.ts"
