import { Button, UnstyledButton } from "@mantine/core"
import { IconFileTypeCsv, IconUpload } from "@tabler/icons-react"
import { type DragEvent, useRef, useState } from "react"
import { byteSize } from "../../../ui/format.ts"
import { useJobs } from "../jobs/jobs.tsx"
import { ChosenFile } from "./chosen-file.tsx"
import { columnsOf, faultOfColumns, type ReadFile, readFile } from "./columns.ts"
import styles from "./import.module.css"
import { useFocusWhenLost } from "./lost-focus.ts"

/** A file, and its content or why it cannot be read. */
type Chosen = { readonly file: File } & ({ readonly read: ReadFile } | { readonly fault: string })

/** Whether it can be imported without changes. */
const isReady = (chosen: Chosen): boolean => "read" in chosen && faultOfColumns(columnsOf(chosen.read)) === null

/** The key of a file, so that another one starts with fresh state. */
const keyOf = ({ name, size, lastModified }: File): string => `${name} ${size} ${lastModified}`

/** Selects a CSV file, previews the import, and uploads it. */
export function ChooseFile() {
  const jobs = useJobs()
  const content = useFocusWhenLost()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [chosen, setChosen] = useState<Chosen | null>(null)

  const choose = async (file: File | null | undefined) => {
    if (!file) return
    const read = await readFile(file)
    setChosen(typeof read === "string" ? { file, fault: read } : { file, read })
  }
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

  return (
    <div ref={content} {...drag}>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,text/csv,text/tab-separated-values"
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
              data-autofocus={!isReady(chosen) || undefined}
              onClick={() => input.current?.click()}
            >
              Another file
            </Button>
          </div>
          {"read" in chosen && <ChosenFile key={keyOf(chosen.file)} file={chosen.read} />}
          {"fault" in chosen && (
            <>
              <p className={styles.fault} role="alert">
                {chosen.fault}
              </p>
              <div className={styles.actions}>
                <Button variant="default" onClick={jobs.closeImport}>
                  Cancel
                </Button>
                <Button disabled>Import</Button>
              </div>
            </>
          )}
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
            <span>UTF-8, separated by commas, semicolons or tabs, up to 5 MB</span>
          </UnstyledButton>
          <ul className={styles.help}>
            <li>
              The first line names the columns; one of them is <code>email</code>, or is named so once the file is
              chosen. The others become fields.
            </li>
            <li>Addresses that are contacts already are updated: their other fields and their subscription stay.</li>
            <li>New contacts are subscribed.</li>
          </ul>
        </>
      )}
    </div>
  )
}
