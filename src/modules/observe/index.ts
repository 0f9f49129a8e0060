export { createObserve } from "./module.ts"
