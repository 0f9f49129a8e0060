import { useSyncExternalStore } from "react"
import { waitingModals } from "../ui/modals.ts"
import { notLoaded } from "../ui/not-loaded.ts"
import { lazyPart, useHasBeen } from "../ui/on-demand.tsx"

const Modals = lazyPart(
  () => import("./modals.tsx"),
  undefined,
  () => {
    waitingModals.forget()
    notLoaded.tell()
  },
)

/** Shows the dialogs that are opened with `modals`, once there is one. */
export function ModalsHost() {
  const isWanted = useHasBeen(useSyncExternalStore(waitingModals.subscribe, waitingModals.hasAny))
  return <>{isWanted && <Modals />}</>
}
