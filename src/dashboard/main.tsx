import "./shared.ts"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App, frameId } from "./app.tsx"
import { createClient } from "./client.ts"
import { createDeletions } from "./context/deletions.ts"
import { createLeaveGuard } from "./context/leave-guard.ts"
import { sectionAt } from "./frame/sections.ts"
import { pages } from "./pages/pages.ts"
import { loadSession } from "./queries/session.ts"
import { firstSign } from "./ui/first-sign.ts"
import { keepFocusWhileLoading } from "./ui/loading-focus.ts"

// Preloaded: the first view needs no dialogs, but opening one must not take long.
void firstSign
  .then(() =>
    Promise.all([
      import("./shell/modals.tsx"),
      import("./shell/notifications.tsx"),
      import("./shell/palette.tsx"),
      import("./shell/shortcuts-dialog.tsx"),
    ]),
  )
  .catch(() => {})

keepFocusWhileLoading(document)

const root = document.getElementById("root")
if (root) {
  const client = createClient()
  const guard = createLeaveGuard()
  const deletions = createDeletions(() => client.invalidateQueries())
  const render = () =>
    createRoot(root).render(
      <StrictMode>
        <App client={client} guard={guard} deletions={deletions} />
      </StrictMode>,
    )
  const start = document.getElementById(frameId)?.dataset.start
  const page = sectionAt(pages, location.pathname) ?? pages.find(({ path }) => path === start)
  const loads = page?.load()
  // Keeps the frame until the page can replace it. A failure here is retried when the page is shown.
  if (start !== undefined) void Promise.allSettled([loads, loadSession(client)]).then(render)
  else {
    loads?.catch(() => {})
    render()
  }
}
