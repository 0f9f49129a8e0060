import type { configSchema } from "../../modules/instance/index.ts"
import type { presentProject } from "../../modules/projects/index.ts"
import { read } from "./http.ts"
import type { Frozen, Wire } from "./types.ts"

export type Config = Wire<typeof configSchema>

/** As its members see it (contract B8.3); the secret is null for those without the right to it. */
export type Project = Frozen<ReturnType<typeof presentProject>>

export const getConfig = (): Promise<Config> => read("/config")

export const listProjects = (): Promise<readonly Project[]> => read("/users/@me/projects")
