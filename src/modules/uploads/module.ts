import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createUploadActions, type UploadDeps } from "./actions.ts"
import { type UploadRouteDeps, uploadRoutes } from "./routes.ts"

/** Images that people put into templates and campaigns, with public addresses. */
export function createUploads(
  engine: Pick<Engine, "store" | "ids" | "config">,
  { baseUrl, ...deps }: UploadDeps & Pick<UploadRouteDeps, "baseUrl">,
) {
  const actions = createUploadActions(engine, deps)
  return {
    name: "uploads",
    actions,
    routes: (protect) => uploadRoutes({ uploads: actions, baseUrl }, protect),
    files: actions.hashes,
    erase: actions.erase,
  } satisfies Module
}
