import { Type } from "@sinclair/typebox"
import { defineJob, type JobLimits } from "../../jobs/define.ts"

/** A job about one campaign. */
export const campaignJob = (name: string, limits: Partial<JobLimits> = {}) =>
  defineJob(name, Type.Object({ projectId: Type.String(), campaignId: Type.String() }), limits)
