import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"
import { onData } from "./settings.ts"

export const analyticsRebuild = defineCommand({
  name: "analytics rebuild",
  summary: "Recompute the counts of activity and analytics from the records",
  about:
    "The counts follow every change of a record, so this is for a database that was changed by hand. A running server " +
    "goes on working.",
  options: {},
  async run(io, args) {
    const days = await onData(io, args, ({ analytics }) => analytics.rebuild())
    answer(io, args, { days }, `Counted ${days} ${days === 1 ? "day" : "days"} again.`)
    return 0
  },
})
