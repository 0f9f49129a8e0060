import { IconUpload, IconUserPlus } from "@tabler/icons-react"
import type { Command } from "../../context/commands.tsx"
import { section } from "../../frame/sections.ts"
import type { Page } from "../../shell/page.ts"
import { lazyPart, onDemand, useHasBeen } from "../../ui/on-demand.tsx"
import { JobsProvider, useJobs } from "./jobs/jobs.tsx"
import { openCreateContact } from "./open-create-contact.ts"

export const contactsPage: Page = {
  ...section.contacts,
  ...onDemand(() => import("./contacts-page.tsx")),
  commands: useNewContactCommands,
  overlay: Overlay,
  provider: JobsProvider,
}

export const fieldsPage: Page = {
  ...section.fields,
  ...onDemand(() => import("./fields/fields-page.tsx")),
}

function useNewContactCommands(): readonly Command[] {
  const { openImport } = useJobs()
  return [
    { group: "New", id: "add-contact", label: "Add a contact", icon: IconUserPlus, run: openCreateContact },
    { group: "New", id: "import", label: "Import contacts", icon: IconUpload, run: () => openImport() },
  ]
}

const ImportDialog = lazyPart(() => import("./import/import-dialog.tsx"))
const JobTray = lazyPart(() => import("./jobs/tray.tsx"))

/** Imports and bulk jobs continue, and are shown, on every page. */
function Overlay() {
  const { dialog, started } = useJobs()
  const isImporting = useHasBeen(dialog.state !== "closed")
  const hasJobs = useHasBeen(started.length > 0)
  return (
    <>
      {isImporting && <ImportDialog />}
      {hasJobs && <JobTray />}
    </>
  )
}
