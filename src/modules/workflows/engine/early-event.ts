import { maxId } from "../../../kernel/ids.ts"
import type { Db } from "../../../store/database.ts"
import { unwrapped } from "../../contacts/index.ts"
import { type Event, findEvent, isReservedName, listEventsBetween } from "../../events/index.ts"
import { matchesEvent } from "../event-filter.ts"
import type { Execution, StepExecution } from "../table.ts"
import type { Node } from "./graphs.ts"
import { findFirstAfter, findLastRest } from "./step-store.ts"

/** Events that are read at a time: their data may be long. */
const atOnce = 100
/** The most events that are tested against a filter, because other units wait meanwhile. */
const mostTested = 1_000

/**
 * The event that ends a wait which has just begun, because it came while the event that led to the wait was still being
 * handled, or the steps in between made: the events of a contact are handled in their order (contract B0.4, B5.4.4). Not one
 * that the execution has caused itself: those have reserved names, and come after the first step since its last rest.
 *
 * @param end the id of the event before which it is looked for
 */
export async function findEarlyEvent(
  db: Db,
  execution: Execution,
  node: Node,
  end = maxId,
): Promise<string | undefined> {
  const { id, contactId, waitsFor: name } = execution
  if (name === null) return undefined
  const rest = await findLastRest(db, id)
  const cause = await causeAfter(db, execution, rest)
  if (cause === undefined) return undefined
  const before = isReservedName(name) ? await findFirstAfter(db, id, rest?.id) : end
  if (before === undefined) return undefined
  const { filter } = node.step.config
  const passes = ({ data, createdAt }: Event) => matchesEvent(filter, unwrapped(data), createdAt)
  let last: Event | undefined = cause
  for (let tested = 0; last !== undefined && tested < mostTested; tested += atOnce) {
    const range = { contactId, name, since: last.createdAt, after: last.id, before, limit: atOnce }
    const some = await listEventsBetween(db, range)
    const found = some.find(passes)
    if (found !== undefined) return found.id
    last = some[atOnce - 1]
  }
  return undefined
}

async function causeAfter(
  db: Db,
  { projectId, eventId }: Execution,
  rest: StepExecution | undefined,
): Promise<Event | undefined> {
  const causeId = rest === undefined ? eventId : rest.output?.eventId
  return typeof causeId === "string" ? (await findEvent(db, projectId, causeId))?.event : undefined
}

/** The event that has led an execution to where it is, without a rest or request since. */
export const findCause = async (db: Db, execution: Execution): Promise<Event | undefined> =>
  causeAfter(db, execution, await findLastRest(db, execution.id))
