import { lazy, Suspense, useSyncExternalStore } from "react"
import { waitingModals } from "../ui/modals.ts"
import { useHasBeen } from "../ui/on-demand.ts"

const Modals = lazy(() => import("./modals.tsx"))

/** Shows the dialogs that are opened with `modals`, once there is one. */
export function ModalsHost() {
  const isWanted = useHasBeen(useSyncExternalStore(waitingModals.subscribe, waitingModals.hasAny))
  return <Suspense>{isWanted && <Modals />}</Suspense>
}
