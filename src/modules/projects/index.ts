import type { Engine } from "../../engine.ts"
import { projectActions } from "./actions.ts"

export type { ProjectWithSecret } from "./actions.ts"
export type { KeyPair } from "./keys.ts"
export { type Project, projectTable } from "./table.ts"
export { presentListed, presentProject } from "./wire.ts"

/** Projects, the tenants of the instance, and their API keys. */
export const projects = (engine: Pick<Engine, "store" | "ids" | "secret">) => projectActions(engine)
export type Projects = ReturnType<typeof projects>
