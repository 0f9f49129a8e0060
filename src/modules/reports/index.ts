export type { Reports } from "./actions.ts"
export { createReports } from "./module.ts"
export { noVerdicts, type ProvidedMail, type ProviderVerdicts } from "./provided.ts"
export { saveReceived } from "./store.ts"
