import "./shared.ts"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import { createDeletions } from "./context/deletions.ts"
import { createLeaveGuard } from "./context/leave-guard.ts"
import { pages } from "./pages/pages.ts"
import { pageAt } from "./shell/page.ts"

// While the session is asked for, not after; one that fails is tried again when it is shown.
pageAt(pages, location.pathname)
  ?.load()
  .catch(() => {})

// With the first sign of somebody: the first view does without dialogs, but nobody should wait for one.
const loadDialogs = (event: Event) => {
  if (isResting(event)) return
  for (const sign of signs) removeEventListener(sign, loadDialogs)
  void Promise.all([
    import("./shell/modals.tsx"),
    import("./shell/notifications.tsx"),
    import("./shell/palette.tsx"),
    import("./shell/shortcuts-dialog.tsx"),
  ]).catch(() => {})
}
/** Browsers report that a pointer is over what has come below it, although nobody has moved it. */
const isResting = (event: Event): boolean =>
  event instanceof PointerEvent && event.type === "pointermove" && event.movementX === 0 && event.movementY === 0
const signs = ["pointermove", "pointerdown", "keydown"] as const
for (const sign of signs) addEventListener(sign, loadDialogs)

const root = document.getElementById("root")
if (root) {
  const guard = createLeaveGuard()
  const deletions = createDeletions()
  createRoot(root).render(
    <StrictMode>
      <App guard={guard} deletions={deletions} />
    </StrictMode>,
  )
}
