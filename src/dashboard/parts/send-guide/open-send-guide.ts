import { openOnDemand } from "../../ui/on-demand.tsx"

export const openSendGuide = openOnDemand(
  () => import("./send-guide.tsx"),
  (guide) => guide.openSendGuide(),
)
