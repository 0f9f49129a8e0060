import { useLocalStorage } from "@mantine/hooks"
import { createContext, type ReactNode, useContext, useMemo, useState } from "react"
import { useSession } from "../../../context/session.ts"
import { notLoaded } from "../../../ui/not-loaded.ts"

export interface StartedImport {
  readonly kind: "import"
  readonly id: string
  readonly fileName: string
  /** The rows of the file that were not sent, ascending; the first below the header is 0. */
  readonly leftOut?: readonly number[]
}

/** A job that was started here, with what is known without the server. */
export type StartedJob = { readonly kind: "bulk"; readonly id: string } | StartedImport

interface Jobs {
  readonly started: readonly StartedJob[]
  add(job: StartedJob): void
  dismiss(id: string): void
  /** The import dialog: closed, open for a file to be chosen, or showing a job. */
  readonly dialog: ImportDialogState
  openImport(job?: StartedImport): void
  closeImport(): void
}

type ImportDialogState =
  | { readonly state: "closed" }
  | { readonly state: "choosing" }
  | { readonly state: "showing"; readonly job: StartedImport }

const JobsContext = createContext<Jobs | null>(null)

export function useJobs(): Jobs {
  const jobs = useContext(JobsContext)
  if (!jobs) throw new Error("useJobs outside of JobsProvider")
  return jobs
}

export function JobsProvider({ children }: { children: ReactNode }) {
  const { project } = useSession()
  return (
    <JobsOf key={project.id} projectId={project.id}>
      {children}
    </JobsOf>
  )
}

/** Stores the project's jobs until they are dismissed, also across reloads. */
function JobsOf({ projectId, children }: { projectId: string; children: ReactNode }) {
  const [started, setStarted] = useLocalStorage<readonly StartedJob[]>({
    key: `mailstead.jobs.${projectId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: readJobs,
  })
  const [dialog, setDialog] = useState<ImportDialogState>({ state: "closed" })
  const jobs = useMemo(
    (): Jobs => ({
      started,
      add: (job) => setStarted((known) => [...known.filter(({ id }) => id !== job.id), job]),
      dismiss: (id) => setStarted((known) => known.filter((job) => job.id !== id)),
      dialog,
      openImport(job) {
        setDialog(job ? { state: "showing", job } : { state: "choosing" })
        notLoaded.tryAgain()
      },
      closeImport: () => setDialog({ state: "closed" }),
    }),
    [started, setStarted, dialog],
  )
  return <JobsContext value={jobs}>{children}</JobsContext>
}

/** Reads the stored jobs; invalid ones are left out. */
function readJobs(text: string | undefined): StartedJob[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]")
    return Array.isArray(list) ? list.filter(isJob) : []
  } catch {
    return []
  }
}

function isJob(value: unknown): value is StartedJob {
  const { kind, id, fileName, leftOut = [] } = (value ?? {}) as Record<string, unknown>
  const isImport = kind === "import" && typeof fileName === "string" && Array.isArray(leftOut)
  return typeof id === "string" && (kind === "bulk" || isImport)
}
