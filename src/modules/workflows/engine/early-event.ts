import { maxId } from "../../../kernel/ids.ts"
import type { Db } from "../../../store/database.ts"
import { unwrapped } from "../../contacts/index.ts"
import { findEvent, isReservedName, listEventsBetween } from "../../events/index.ts"
import { matchesEvent } from "../event-filter.ts"
import type { Execution } from "../table.ts"
import type { Node } from "./graphs.ts"
import { findFirstAfter, findLastRest } from "./step-store.ts"

/** Events of one name that a filter is asked about. */
const mostLooked = 100

/**
 * The event that ends a wait which has just begun, because it came while the event that led to the wait was still being
 * handled, or the steps in between made: the events of a contact are handled in their order (contract B0.4, B5.4.4). Not one
 * that the execution has caused itself: those have reserved names, and come after the first step since its last rest.
 */
export async function findEarlyEvent(db: Db, execution: Execution, node: Node): Promise<string | undefined> {
  const { id, projectId, contactId, eventId, waitsFor: name } = execution
  if (name === null) return undefined
  const rest = await findLastRest(db, id)
  const causeId = rest === undefined ? eventId : rest.output?.eventId
  const cause = typeof causeId === "string" ? (await findEvent(db, projectId, causeId))?.event : undefined
  if (cause === undefined) return undefined
  const before = isReservedName(name) ? await findFirstAfter(db, id, rest?.id) : maxId
  if (before === undefined) return undefined
  const range = { contactId, name, since: cause.createdAt, after: cause.id, before, limit: mostLooked }
  const found = await listEventsBetween(db, range)
  const { filter } = node.step.config
  return found.find(({ data, createdAt }) => matchesEvent(filter, unwrapped(data), createdAt))?.id
}
