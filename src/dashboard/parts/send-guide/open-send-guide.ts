import type { Config } from "../../api/instance.ts"
import type { ProjectInView } from "../../context/session.ts"
import { openOnDemand } from "../../ui/on-demand.tsx"

export const openSendGuide = openOnDemand(
  () => import("./send-guide.tsx"),
  (guide, config: Config, project: ProjectInView) => guide.openSendGuide(config, project),
)
