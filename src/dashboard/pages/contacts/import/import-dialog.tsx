import { Modal } from "@mantine/core"
import { useIsMounted } from "../../../ui/on-demand.tsx"
import { useLeaveImport } from "../jobs/follow.ts"
import { useJobs } from "../jobs/jobs.tsx"
import { ChooseFile } from "./choose-file.tsx"
import { ImportProgress } from "./import-progress.tsx"

/** The import of contacts: a file is chosen, then followed. Closing it stops nothing. */
export default function ImportDialog() {
  const { dialog } = useJobs()
  const isMounted = useIsMounted()
  const leave = useLeaveImport()
  return (
    <Modal
      opened={isMounted && dialog.state !== "closed"}
      onClose={leave}
      title={dialog.state === "showing" ? "Import" : "Import contacts"}
      size={620}
      centered
    >
      {dialog.state === "choosing" && <ChooseFile />}
      {dialog.state === "showing" && <ImportProgress key={dialog.job.id} started={dialog.job} />}
    </Modal>
  )
}
