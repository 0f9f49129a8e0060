import type { Engine } from "../../engine.ts"
import { type ProjectPorts, projectActions } from "./actions.ts"

export { type ProjectWithSecret, projectDisabled } from "./actions.ts"
export type { KeyPair } from "./keys.ts"
export { type Project, projectTable } from "./table.ts"
export { presentListed, presentProject } from "./wire.ts"

/** Projects, the tenants of the instance, and their API keys. */
export const projects = (engine: Pick<Engine, "store" | "ids" | "secret">, ports: ProjectPorts) =>
  projectActions(engine, ports)
export type Projects = ReturnType<typeof projects>
