export type { ContactPatch, Contacts, Upserted, UpsertPreview } from "./actions.ts"
export { dataFaults, eventDataFaults, isReservedKey, patchData, unwrapped } from "./data.ts"
export type { lookupSchema, upsertedSchema } from "./document.ts"
export { contactExample, contactSchema } from "./document.ts"
export { maxPublicFields } from "./fields/catalogue.ts"
export type {
  catalogueSchema,
  deletedSchema as deletedFieldSchema,
  usageSchema as fieldUsageSchema,
  valuesSchema,
} from "./fields/document.ts"
export { type ContactFilter, listBySeq as listContactsBySeq } from "./list/store.ts"
export { hasText } from "./list/values.ts"
export { createContacts } from "./module.ts"
export { findFew } from "./search/find.ts"
export { needleOf } from "./search/needle.ts"
export { lastSeq } from "./search/store.ts"
export { contactChanged, contactRemoved } from "./signals.ts"
export { countContacts, findByEmail as findContactByAddress, findById as findContact } from "./store.ts"
export { type Contact, contactTable } from "./table.ts"
export { dataBytes, inUnits } from "./units.ts"
export {
  type ContactRange,
  contactRangeOf,
  isInWindow,
  readWindows,
  type Window,
  widthFor,
  windowsOf,
} from "./windows.ts"
export type { contactChangeBody } from "./wire.ts"
export { presentContact } from "./wire.ts"
