export type { Domains } from "./actions.ts"
export { createDomains } from "./module.ts"
export { domainTable } from "./table.ts"
export { presentDomain } from "./wire.ts"
