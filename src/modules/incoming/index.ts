export { createIncoming, type Incoming } from "./module.ts"
