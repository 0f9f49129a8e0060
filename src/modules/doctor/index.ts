export { type Check, type Finding, fail } from "./check.ts"
export { transportChecks } from "./checks/mail.ts"
export { createDoctor, type Doctor, type ExaminedParts, examine } from "./module.ts"
export type { doctorCheckSchema } from "./routes.ts"
