import { Modal } from "@mantine/core"
import { useJobs } from "../jobs/jobs.tsx"
import { ChooseFile } from "./choose-file.tsx"
import { ImportProgress } from "./import-progress.tsx"

/** The import of contacts: a file is chosen, then followed. Closing it stops nothing. */
export function ImportDialog() {
  const { dialog, closeImport } = useJobs()
  return (
    <Modal
      opened={dialog.state !== "closed"}
      onClose={closeImport}
      title={dialog.state === "showing" ? "Import" : "Import contacts"}
      size={620}
      centered
    >
      {dialog.state === "choosing" && <ChooseFile />}
      {dialog.state === "showing" && <ImportProgress key={dialog.id} id={dialog.id} fileName={dialog.fileName} />}
    </Modal>
  )
}
