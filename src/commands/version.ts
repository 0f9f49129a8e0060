import { buildInfo } from "../kernel/build-info.ts"
import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"

export const version = defineCommand({
  name: "version",
  summary: "Print the version",
  options: {},
  async run(io, args) {
    answer(io, args, buildInfo, `mailstead ${buildInfo.version}`)
    return 0
  },
})
