import { Button, UnstyledButton } from "@mantine/core"
import { IconFileTypeCsv, IconUpload } from "@tabler/icons-react"
import { type DragEvent, useRef, useState } from "react"
import { startImport } from "../../../api/contacts.ts"
import { reasonOf } from "../../../api/refusal.ts"
import { useChange } from "../../../queries/use-change.ts"
import { byteSize } from "../../../ui/format.ts"
import { useJobs } from "../jobs/jobs.tsx"
import { type FilePreview, previewFile } from "./columns.ts"
import { FileColumns } from "./file-columns.tsx"
import styles from "./import.module.css"
import { useFocusWhenLost } from "./lost-focus.ts"

interface Chosen {
  readonly file: File
  readonly preview: FilePreview
}

/** Takes a CSV file, shows what will become of it, and hands it to the server. */
export function ChooseFile() {
  const jobs = useJobs()
  const content = useFocusWhenLost()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [refused, setRefused] = useState<string | null>(null)

  const choose = async (file: File | null | undefined) => {
    if (!file) return
    setRefused(null)
    setChosen({ file, preview: await previewFile(file) })
  }
  const starting = useChange({
    send: startImport,
    failed: (cause) => setRefused(reasonOf(cause)),
    done(_client, _projectId, id, file: File) {
      const job = { kind: "import", id, fileName: file.name } as const
      jobs.add(job)
      jobs.openImport(job)
    },
  })
  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      void choose(event.dataTransfer.files[0])
    },
  }
  const fault = refused ?? chosen?.preview.fault ?? null

  return (
    <div ref={content} {...drag}>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="CSV file"
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0])
          event.currentTarget.value = ""
        }}
      />
      {chosen ? (
        <>
          <div className={styles.file}>
            <IconFileTypeCsv size={26} stroke={1.5} />
            <span className={styles.fileName}>
              {chosen.file.name}
              <small>{byteSize(chosen.file.size)}</small>
            </span>
            <Button
              variant="default"
              size="xs"
              data-autofocus={chosen.preview.fault !== null || undefined}
              onClick={() => input.current?.click()}
            >
              Another file
            </Button>
          </div>
          {chosen.preview.columns.length > 0 && <FileColumns {...chosen.preview} />}
        </>
      ) : (
        <>
          <UnstyledButton
            className={styles.drop ?? ""}
            data-over={over || undefined}
            data-autofocus
            onClick={() => input.current?.click()}
          >
            <IconUpload size={26} stroke={1.5} />
            <span className={styles.dropTitle}>Drop a CSV file here, or choose one</span>
            <span>UTF-8, separated by commas, up to 5 MB</span>
          </UnstyledButton>
          <ul className={styles.help}>
            <li>
              The first line names the columns; one of them is <code>email</code>. The others become fields.
            </li>
            <li>Addresses that are contacts already are updated: their other fields and their subscription stay.</li>
            <li>New contacts are subscribed.</li>
          </ul>
        </>
      )}
      {fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      {chosen && (
        <div className={styles.actions}>
          <Button variant="default" onClick={jobs.closeImport}>
            Cancel
          </Button>
          <Button
            loading={starting.isRunning}
            disabled={chosen.preview.fault !== null}
            data-autofocus={chosen.preview.fault === null || undefined}
            onClick={() => void starting.run(chosen.file)}
          >
            Import
          </Button>
        </div>
      )}
    </div>
  )
}
