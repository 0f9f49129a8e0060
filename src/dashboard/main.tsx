import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import { createLeaveGuard } from "./context/leave-guard.ts"

const root = document.getElementById("root")
if (root) {
  const guard = createLeaveGuard()
  createRoot(root).render(
    <StrictMode>
      <App guard={guard} />
    </StrictMode>,
  )
}
