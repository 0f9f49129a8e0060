import type { Unit } from "../../../store/writer.ts"
import type { contactActions } from "../actions.ts"
import type { Operation } from "./table.ts"

/** The verbs of the room that a bulk job repeats. */
export type Verbs = Pick<ReturnType<typeof contactActions>, "setSubscribedIn" | "removeIn">

/** What one unit of work does to one contact that is there. */
export type Operations = Readonly<Record<Operation, (unit: Unit, projectId: string, id: string) => Promise<unknown>>>

export const operationsOf = ({ setSubscribedIn, removeIn }: Verbs): Operations => ({
  subscribe: (unit, projectId, id) => setSubscribedIn(unit, projectId, id, true, "bulk"),
  unsubscribe: (unit, projectId, id) => setSubscribedIn(unit, projectId, id, false, "bulk"),
  delete: removeIn,
})
