import type { Engine } from "../../engine.ts"
import { day } from "../../kernel/clock.ts"
import { byServer } from "../audit/index.ts"
import type { Project, Projects } from "../projects/index.ts"
import { assess, type Metric, type SecurityReport, type Windows, windowOf } from "./rules.ts"
import { countReports } from "./store.ts"

/** A younger project has absolute limits in addition to the rates (contract B9.4.3). */
const newMs = 30 * day
const none = windowOf(0, 0, 0)

export interface ReputationDeps {
  readonly projects: Pick<Projects, "get" | "find" | "setDisabled">
}

/** The reputation of projects (contract B9.4, B9.5). */
export function createReputationActions(
  { store, clock, config }: Pick<Engine, "store" | "clock" | "config">,
  { projects }: ReputationDeps,
) {
  async function windowsOf(projectId: string): Promise<Windows> {
    // Mail of the sandbox reaches nobody, and its bounces are simulated (contract B9.4.1).
    if (config.mode === "sandbox") return { twentyFourHour: none, sevenDay: none, allTime: none }
    const now = clock.now()
    const since = { day: now - day, week: now - 7 * day }
    const [row] = await store.readPool.read(projectId, (db) => countReports(db, projectId, since))
    if (row === undefined) return { twentyFourHour: none, sevenDay: none, allTime: none }
    const { dayTotal, dayBounces, dayComplaints, weekTotal, weekBounces, weekComplaints } = row
    return {
      twentyFourHour: windowOf(dayTotal, dayBounces, dayComplaints),
      sevenDay: windowOf(weekTotal, weekBounces, weekComplaints),
      allTime: windowOf(row.allTotal, row.allBounces, row.allComplaints),
    }
  }

  async function assessmentOf({ id, createdAt }: Project) {
    const windows = await windowsOf(id)
    const isNewProject = clock.now() - createdAt < newMs
    return { windows, isNewProject, ...assess(windows, isNewProject) }
  }

  return {
    /**
     * Disables a project whose bounces, or whose complaints, have reached the critical level (contract B9.4.4). One that is
     * disabled stays as it is.
     */
    async check(projectId: string, metric: Metric): Promise<void> {
      const project = await projects.find(projectId)
      if (project === undefined || project.disabled || !config.security.autoDisable) return
      const { critical } = await assessmentOf(project)
      if (critical.has(metric)) await projects.setDisabled(projectId, "EMAIL_REPUTATION", byServer)
    },

    /** Reads every mail of the project, off the event loop. @throws {DomainError} 404 */
    async report(projectId: string): Promise<SecurityReport> {
      const project = await projects.get(projectId)
      const { windows, isNewProject, levels, limits, violations, warnings } = await assessmentOf(project)
      const { disabled } = project
      const status = {
        projectId,
        isHealthy: violations.length === 0 && warnings.length === 0,
        shouldDisable: violations.length > 0,
        ...windows,
        isNewProject,
        violations,
        warnings,
      }
      return { status, isDisabled: disabled, levels, limits }
    },
  }
}

export type Reputation = ReturnType<typeof createReputationActions>
