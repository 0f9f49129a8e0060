import type { Bus } from "../../../bus/bus.ts"
import type { Jobs } from "../../../jobs/jobs.ts"
import type { Clock } from "../../../kernel/clock.ts"
import type { Store } from "../../../store/store.ts"
import { emailSent } from "../../emails/index.ts"
import { eventRecorded } from "../../events/index.ts"
import { executionEnded, stepStarted } from "../../workflows/index.ts"
import { listMails } from "../store.ts"

/** The execution of a workflow. */
interface Which {
  readonly executionId: string
  readonly workflowId: string
  readonly contactId: string
}

/** One thing that happened in a project while the clock was turned. */
export type ReportEntry =
  | { at: number; what: "email"; id: string; to: string; subject: string; campaignId: string | null }
  | { at: number; what: "event"; id: string; name: string; contactId: string | null }
  | ({ at: number; what: "step"; name: string; type: string } & Which)
  | ({ at: number; what: "execution"; status: string; exitReason: string | null } & Which)
  | { at: number; what: "job"; kind: string; outcome: string; ids: Record<string, string> }

/** What happened in a project, in the order of time; the lists are bounded, the counts are complete. */
export interface ClockReport {
  readonly emails: number
  readonly events: Readonly<Record<string, number>>
  /** How many steps of workflows were started. */
  readonly steps: number
  /** Of the whole instance, by their kind, with recurring ones. */
  readonly jobs: Readonly<Record<string, number>>
  readonly happened: readonly ReportEntry[]
  /** How many more things happened than are listed. */
  readonly omitted: number
}

/** How many things are listed. */
export const mostListed = 200

interface ReportDeps {
  readonly store: Pick<Store, "read">
  readonly clock: Pick<Clock, "now">
  readonly bus: Pick<Bus, "watch">
  readonly jobs: Pick<Jobs, "watchRuns">
}

/** Starts recording what happens in a project, until `end`. */
export function beginReport({ store, clock, bus, jobs }: ReportDeps, projectId: string) {
  const found: ReportEntry[] = []
  const counts = { emails: 0, steps: 0, events: new Map<string, number>(), jobs: new Map<string, number>() }
  let omitted = 0

  function note(happening: ReportEntry): void {
    if (found.length < mostListed) found.push(happening)
    else omitted++
  }

  const ends = [
    bus.watch(emailSent, (signal) => {
      if (signal.projectId !== projectId) return
      counts.emails++
      const { createdAt: at, payload } = signal
      note({ at, what: "email", id: payload.emailId, to: "", subject: "", campaignId: null })
    }),
    bus.watch(eventRecorded, (signal) => {
      const { eventId: id, name, contactId } = signal.payload
      if (signal.projectId !== projectId) return
      countIn(counts.events, name)
      // The mail is listed already.
      if (name !== "email.sent") note({ at: signal.createdAt, what: "event", id, name, contactId })
    }),
    bus.watch(stepStarted, ({ projectId: own, createdAt: at, payload }) => {
      if (own !== projectId) return
      counts.steps++
      note({ at, what: "step", ...payload })
    }),
    bus.watch(executionEnded, ({ projectId: own, createdAt: at, payload }) => {
      if (own === projectId) note({ at, what: "execution", ...payload })
    }),
    jobs.watchRuns(({ kind, payload, outcome }) => {
      countIn(counts.jobs, kind)
      const { projectId: own, ...ids } = idsIn(payload)
      if (own === projectId) note({ at: clock.now(), what: "job", kind, outcome, ids })
    }),
  ]

  return {
    end() {
      for (const end of ends) end()
    },
    async read(): Promise<ClockReport> {
      const mails = new Map((await listMails(store.read, idsOfMails(found))).map((mail) => [mail.id, mail]))
      return {
        emails: counts.emails,
        steps: counts.steps,
        events: Object.fromEntries(counts.events),
        jobs: Object.fromEntries(counts.jobs),
        happened: found.map((one) => (one.what === "email" ? { ...one, ...mails.get(one.id) } : one)),
        omitted,
      }
    },
  }
}

const countIn = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

const idsOfMails = (found: readonly ReportEntry[]) => found.flatMap((one) => (one.what === "email" ? [one.id] : []))

/** The ids in the payload of a job: `campaignId`, for example. */
function idsIn(payload: unknown): Record<string, string> {
  const fields = Object.entries((payload ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (name.endsWith("Id") && typeof value === "string" ? [[name, value]] : [])),
  )
}
