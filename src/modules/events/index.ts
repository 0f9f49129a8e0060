export type { Events } from "./actions.ts"
export type {
  deletedSchema as deletedEventsSchema,
  eventSchema,
  namesSchema,
  statsSchema as eventCountsSchema,
  usageSchema as eventUsageSchema,
} from "./document.ts"
export { createEventLog, eventRecorded, type RecordEvent, type RecordMany } from "./log.ts"
export { createEvents } from "./module.ts"
export { isReservedName } from "./reserved.ts"
export { findEvent, listEventsBetween } from "./store.ts"
export { dataOf, type Event, wholeEvent } from "./stored-data.ts"
export { eventTable, isPlainEvent } from "./table.ts"
