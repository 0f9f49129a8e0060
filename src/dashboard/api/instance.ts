import { read } from "./http.ts"
import type { Config, Project } from "./wire.ts"

export const getConfig = (): Promise<Config> => read("/config")

export const listProjects = (): Promise<readonly Project[]> => read("/users/@me/projects")
