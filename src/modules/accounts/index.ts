export { type Accounts, builtInOwner } from "./actions.ts"
export { createAccounts } from "./module.ts"
