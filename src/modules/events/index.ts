import type { Engine } from "../../engine.ts"
import type { Contacts } from "../contacts/index.ts"
import { eventActions, type RecordEvent } from "./actions.ts"

export { eventRecorded, eventRecorder, type NewEvent, type RecordEvent, type TrackRequest } from "./actions.ts"
export { trackRoute } from "./routes.ts"
export { eventTable, type StoredEvent } from "./table.ts"

/** Events: what contacts did and what the service did for them, recorded for good. */
export const events = (engine: Pick<Engine, "store">, contacts: Contacts, record: RecordEvent) =>
  eventActions(engine, contacts, record)
export type Events = ReturnType<typeof events>
