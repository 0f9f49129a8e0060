import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Operation } from "./table.ts"

/** What one unit of work does to one contact. */
type Operations = Readonly<Record<Operation, (unit: Unit, projectId: string, id: string) => Promise<unknown>>>

export const createOperations = ({ setSubscribedIn, removeIn }: Contacts): Operations => ({
  subscribe: (unit, projectId, id) => setSubscribedIn(unit, projectId, id, true, "bulk"),
  unsubscribe: (unit, projectId, id) => setSubscribedIn(unit, projectId, id, false, "bulk"),
  delete: removeIn,
})
