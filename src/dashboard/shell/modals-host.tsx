import { useSyncExternalStore } from "react"
import { waitingModals } from "../ui/modals.ts"
import { lazy, useHasBeen } from "../ui/on-demand.tsx"

const Modals = lazy(() => import("./modals.tsx"))

/** Shows the dialogs that are opened with `modals`, once there is one. */
export function ModalsHost() {
  const isWanted = useHasBeen(useSyncExternalStore(waitingModals.subscribe, waitingModals.hasAny))
  return <>{isWanted && <Modals />}</>
}
