import type { Engine } from "../../engine.ts"
import type { Db } from "../../store/database.ts"
import type { Contacts } from "../contacts/index.ts"
import { eventActions, type RecordEvent } from "./actions.ts"
import { eventDrops } from "./drop.ts"
import { eventLists } from "./lists.ts"
import { eventNames, type NamePorts } from "./names.ts"

export {
  alikeRecorder,
  eventRecorded,
  eventRecorder,
  type NewEvent,
  type RecordAlike,
  type RecordEvent,
  type TrackRequest,
} from "./actions.ts"
export type { EventUser } from "./names.ts"
export { eventRoutes } from "./routes.ts"
export { eventTable, type StoredEvent } from "./table.ts"
export { trackRoute } from "./track-route.ts"

/** What events need from the house. */
export interface EventPorts extends NamePorts {
  readonly contacts: Contacts
  readonly record: RecordEvent
  /** Whether a project has a message. */
  hasMail(db: Db, projectId: string, emailId: string): Promise<boolean>
}

/** Events: what contacts did and what the service did for them, recorded for good. */
export function events(engine: Pick<Engine, "store" | "ids" | "jobs">, ports: EventPorts) {
  const parts = { ...engine, ...ports }
  return {
    ...eventActions(parts),
    ...eventLists(parts),
    ...eventNames(parts),
    ...eventDrops(parts),
  }
}
export type Events = ReturnType<typeof events>
