import type { instanceAlertSchema } from "../../modules/alerts/index.ts"
import type { doctorCheckSchema } from "../../modules/doctor/index.ts"
import type {
  configSchema,
  instanceProjectSchema,
  instanceSettingsSchema,
  instanceTransportSchema,
} from "../../modules/instance/index.ts"
import type { presentProject } from "../../modules/projects/index.ts"
import type { retentionSchema } from "../../modules/retention/index.ts"
import { read } from "./http.ts"
import type { Frozen, Wire } from "./types.ts"

export type Config = Wire<typeof configSchema>

/** A project as shown to its members (contract B8.3); the secret is null without the permission. */
export type Project = Frozen<ReturnType<typeof presentProject>>

export const getConfig = (): Promise<Config> => read("/config")

export const listProjects = (): Promise<readonly Project[]> => read("/users/@me/projects")

/** A project as shown to the owner of the instance (contract B8.3.17). */
export type InstanceProject = Wire<typeof instanceProjectSchema>

/** The effective configuration; secrets are `***` (contract B8.3.18). */
export type InstanceSettings = Wire<typeof instanceSettingsSchema>

/** What a transport did in the last hour (contract B8.3.22). */
export type InstanceTransport = Wire<typeof instanceTransportSchema>

export const listInstanceProjects = async (): Promise<readonly InstanceProject[]> =>
  (await read<{ data: readonly InstanceProject[] }>("/instance/projects")).data

export const getInstanceSettings = async (): Promise<InstanceSettings> =>
  (await read<{ data: InstanceSettings }>("/instance/settings")).data

export const listInstanceTransports = async (): Promise<readonly InstanceTransport[]> =>
  (await read<{ data: readonly InstanceTransport[] }>("/instance/transports")).data

/** What was deleted because its time had come (contract B10.8). */
export type InstanceRetention = Wire<typeof retentionSchema>

export const getInstanceRetention = (): Promise<InstanceRetention> => read("/instance/retention")

/** A line of the report of `mailstead doctor` (contract B8.3.23). */
export type DoctorCheck = Wire<typeof doctorCheckSchema>

export const runDoctor = async (): Promise<readonly DoctorCheck[]> =>
  (await read<{ data: { checks: readonly DoctorCheck[] } }>("/instance/doctor")).data.checks

/** What keeps the server from working (contract B8.3.24). */
export type InstanceAlert = Wire<typeof instanceAlertSchema>

export const listInstanceAlerts = async (): Promise<readonly InstanceAlert[]> =>
  (await read<{ data: readonly InstanceAlert[] }>("/instance/alerts")).data
