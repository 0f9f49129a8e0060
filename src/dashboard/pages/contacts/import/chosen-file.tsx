import { Button, Checkbox } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useEffect, useMemo, useRef, useState } from "react"
import { startImport } from "../../../api/contacts.ts"
import { reasonOf } from "../../../api/refusal.ts"
import { useChange } from "../../../queries/use-change.ts"
import { count } from "../../../ui/format.ts"
import { useJobs } from "../jobs/jobs.tsx"
import { columnsOf, faultOfColumns, type ReadFile } from "./columns.ts"
import { convert, unsubscribedIn } from "./conversion.ts"
import { FileColumns } from "./file-columns.tsx"
import styles from "./import.module.css"
import { useFocusWhenLost } from "./lost-focus.ts"
import { timeColumns, timeOf } from "./times.ts"
import { useResubscribed } from "./use-resubscribed.ts"

interface Upload {
  readonly sent: File
  /** The rows of the file that are not sent. */
  readonly leftOut: readonly number[]
}

/** The preview of the selected file, and the button that imports it. */
export function ChosenFile({ file }: { file: ReadFile }) {
  const jobs = useJobs()
  const actions = useFocusWhenLost()
  const [columns, setColumns] = useState(() => columnsOf(file))
  const [takesAll, setTakesAll] = useState(false)
  const [takesTimes, setTakesTimes] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const marked = useMemo(() => unsubscribedIn(file, columns), [file, columns])
  const times = useMemo(() => timeColumns(file, columns), [file, columns])
  const resubscribed = useResubscribed(marked)
  const upload = useUpload()
  const starting = useChange({
    send: (projectId, { sent }: Upload) => startImport(projectId, sent, upload.signal()),
    failed(cause, _client, _projectId, { sent: { name } }) {
      setRefused(reasonOf(cause))
      if (upload.isLeft() && !isAborted(cause))
        notifications.show({ color: "red", title: `${name} was not imported`, message: reasonOf(cause) })
    },
    done(_client, _projectId, id, { sent: { name: fileName }, leftOut }) {
      const job = { kind: "import", id, fileName, ...(leftOut.length > 0 ? { leftOut } : {}) } as const
      jobs.add(job)
      if (!upload.isLeft()) jobs.openImport(job)
    },
  })
  const fault = faultOfColumns(columns)
  const leftOut = new Set(takesAll ? [] : resubscribed?.map(({ row }) => row))
  return (
    <>
      <FileColumns
        file={file}
        columns={columns}
        onColumns={(next) => {
          setColumns(next)
          setRefused(null)
        }}
      />
      {marked.length > 0 && (
        <div className={styles.marked} role="status">
          <p>
            {count(marked.length, "row")} {marked.length === 1 ? "is" : "are"} marked as unsubscribed in the file.{" "}
            {resubscribed && formatResubscribed(resubscribed.length, marked.length)}
          </p>
          {resubscribed && resubscribed.length > 0 && (
            <Checkbox
              size="sm"
              label="Import and subscribe them all the same"
              checked={takesAll}
              onChange={(event) => setTakesAll(event.currentTarget.checked)}
            />
          )}
        </div>
      )}
      {times.length > 0 && (
        <div className={styles.marked}>
          <Checkbox
            size="sm"
            label={`Import ${formatList(times.map((at) => columns[at]?.field ?? ""))} as ${times.length === 1 ? "a time" : "times"}`}
            description={formatTimes(file, times)}
            checked={takesTimes}
            onChange={(event) => setTakesTimes(event.currentTarget.checked)}
          />
        </div>
      )}
      {(fault ?? refused) && (
        <p className={styles.fault} role="alert">
          {fault ?? refused}
        </p>
      )}
      <div ref={actions} className={styles.actions}>
        <Button
          variant="default"
          onClick={() => {
            upload.cancel()
            jobs.closeImport()
          }}
        >
          Cancel
        </Button>
        <Button
          loading={starting.isRunning}
          disabled={fault !== null || resubscribed === undefined}
          data-autofocus={fault === null || undefined}
          onClick={() =>
            void starting.run({
              sent: convert(file, columns, leftOut, takesTimes ? times : []),
              leftOut: [...leftOut],
            })
          }
        >
          Import
        </Button>
      </div>
    </>
  )
}

/** The file on its way: it can be cancelled, and goes on when the dialog is only closed. */
function useUpload() {
  const state = useRef({ isLeft: false, abort: () => {} })
  useEffect(() => {
    state.current.isLeft = false
    return () => {
      state.current.isLeft = true
    }
  }, [])
  return {
    signal(): AbortSignal {
      const controller = new AbortController()
      state.current.abort = () => controller.abort()
      return controller.signal
    },
    cancel: () => state.current.abort(),
    /** Whether the dialog was closed, or shows another file. */
    isLeft: (): boolean => state.current.isLeft,
  }
}

const isAborted = (cause: unknown): boolean => cause instanceof DOMException && cause.name === "AbortError"

const formatList = (names: readonly string[]): string => new Intl.ListFormat("en").format(names)

function formatTimes({ rows }: ReadFile, [first = 0]: readonly number[]): string {
  const cell =
    rows.map((cells) => cells[first] ?? "").find((text) => timeOf(text) !== null && timeOf(text) !== text) ?? ""
  return `Conditions such as “within 30 days” find times alone: ${cell} becomes ${timeOf(cell)}.`
}

function formatResubscribed(resubscribed: number, marked: number): string {
  const kept = "contacts already and keep their subscription as it is"
  if (resubscribed === 0) return `They are ${kept}.`
  if (resubscribed === marked) return "They are new here and would be subscribed, so they are left out."
  const [isNew, isOut] = resubscribed === 1 ? ["is", "it is"] : ["are", "they are"]
  const known = marked - resubscribed
  return `${resubscribed.toLocaleString("en")} of them ${isNew} new here and would be subscribed, so ${isOut} left out. The other ${known === 1 ? "is a contact already and keeps its subscription as it is" : `${known.toLocaleString("en")} are ${kept}`}.`
}
