import type { securityReportSchema } from "../../modules/reputation/index.ts"
import { read } from "./http.ts"
import type { Wire } from "./types.ts"

/** Bounces and complaints of a project, beside their limits (contract B9.5). */
export type SecurityReport = Wire<typeof securityReportSchema>
export type LimitedFigure = SecurityReport["limits"][number]

export const getSecurityReport = (projectId: string): Promise<SecurityReport> =>
  read(`/users/@me/projects/${encodeURIComponent(projectId)}/security`)
