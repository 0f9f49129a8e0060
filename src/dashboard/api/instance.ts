import type { configSchema } from "../../modules/instance/index.ts"
import type { presentProject } from "../../modules/projects/index.ts"
import { read } from "./http.ts"
import type { Frozen, Wire } from "./types.ts"

export type Config = Wire<typeof configSchema>

/** A project as shown to its members (contract B8.3); the secret is null without the permission. */
export type Project = Frozen<ReturnType<typeof presentProject>>

export const getConfig = (): Promise<Config> => read("/config")

export const listProjects = (): Promise<readonly Project[]> => read("/users/@me/projects")

/** A project as shown to the owner of the instance (contract B8.3.17). */
export interface InstanceProject {
  readonly id: string
  readonly name: string
  /** The address of its owner; null while it has none. */
  readonly owner: string | null
  readonly disabled: boolean
  readonly disabledReason: Project["disabledReason"]
  readonly emailsSent: number
  readonly contactCount: number
  readonly createdAt: string
}

/** The effective configuration; secrets are `***` (contract B8.3.18). */
export interface InstanceSettings {
  readonly version: string
  readonly commit: string | null
  readonly settings: readonly { readonly key: string; readonly value: unknown; readonly default: unknown }[]
}

export const listInstanceProjects = async (): Promise<readonly InstanceProject[]> =>
  (await read<{ data: readonly InstanceProject[] }>("/instance/projects")).data

export const getInstanceSettings = async (): Promise<InstanceSettings> =>
  (await read<{ data: InstanceSettings }>("/instance/settings")).data
