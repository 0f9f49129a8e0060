import { IconForms, IconUpload, IconUserPlus, IconUsers } from "@tabler/icons-react"
import { lazy } from "react"
import type { Command } from "../../context/commands.tsx"
import type { Page } from "../../shell/page.ts"
import { openCreateContact } from "./create-contact.tsx"
import { ImportDialog } from "./import/import-dialog.tsx"
import { JobsProvider, useJobs } from "./jobs/jobs.tsx"
import { JobTray } from "./jobs/tray.tsx"

export const contactsPage: Page = {
  path: "/contacts",
  name: "Contacts",
  icon: IconUsers,
  content: lazy(() => import("./contacts-page.tsx")),
  commands: useNewContactCommands,
  overlay: Overlay,
  provider: JobsProvider,
}

export const fieldsPage: Page = {
  path: "/contacts/fields",
  name: "Contact fields",
  icon: IconForms,
  content: lazy(() => import("./fields/fields-page.tsx")),
  hidden: true,
}

function useNewContactCommands(): readonly Command[] {
  const { openImport } = useJobs()
  return [
    { group: "New", id: "add-contact", label: "Add a contact", icon: IconUserPlus, run: openCreateContact },
    { group: "New", id: "import", label: "Import contacts", icon: IconUpload, run: () => openImport() },
  ]
}

/** Imports and bulk jobs continue, and are shown, on every page. */
function Overlay() {
  return (
    <>
      <ImportDialog />
      <JobTray />
    </>
  )
}
