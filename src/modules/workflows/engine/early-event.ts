import { nilId } from "../../../kernel/ids.ts"
import type { Db } from "../../../store/database.ts"
import { unwrapped } from "../../contacts/index.ts"
import { findEvent, listEventsBetween } from "../../events/index.ts"
import { matchesEvent } from "../event-filter.ts"
import type { Execution } from "../table.ts"
import type { Node } from "./graphs.ts"
import { findLastRest } from "./step-store.ts"

/** Events of one name that a filter is asked about. */
const mostLooked = 100

export interface BeginningWait {
  readonly execution: Execution
  readonly node: Node
  readonly now: number
  /** Events with this id and later ones are of the execution itself, or end the wait in the usual way. */
  readonly before: string
}

/**
 * The event that ends a wait which has just begun, because it came while the event before it was still being handled: the
 * events of a contact are handled in their order (contract B0.4, B5.4.4).
 */
export async function findEarlyEvent(
  db: Db,
  { execution, node, now, before }: BeginningWait,
): Promise<string | undefined> {
  const { contactId, waitsFor: name } = execution
  if (name === null) return undefined
  const cause = await causeOf(db, execution)
  const { id: after, createdAt: since } = cause ?? { id: nilId, createdAt: now }
  const found = await listEventsBetween(db, { contactId, name, since, after, before, limit: mostLooked })
  const { filter } = node.step.config
  return found.find(({ data, createdAt }) => matchesEvent(filter, unwrapped(data), createdAt))?.id
}

/** The event that has led an execution to where it is without a rest; undefined when it was none. */
async function causeOf(db: Db, { id, projectId, eventId }: Execution) {
  const rest = await findLastRest(db, id)
  const cause = rest === undefined ? eventId : rest.output?.eventId
  return typeof cause === "string" ? (await findEvent(db, projectId, cause))?.event : undefined
}
