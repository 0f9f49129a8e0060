import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import { createDeletions } from "./context/deletions.ts"
import { createLeaveGuard } from "./context/leave-guard.ts"

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
