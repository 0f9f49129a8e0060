import { join } from "node:path"
import { systemClock } from "../kernel/clock.ts"
import { findSealed } from "../modules/projects/index.ts"
import { databaseName, hasData, requireKept } from "../store/database-file.ts"
import { modeOfFolder } from "../store/mode.ts"
import { openSecret } from "../store/secret.ts"
import { openStore } from "../store/store.ts"
import { answer } from "./answer.ts"
import { defineCommand } from "./args.ts"
import { logTo } from "./logging.ts"
import { becomeOwnerOf } from "./owner.ts"
import { configOf } from "./settings.ts"

export const migrate = defineCommand({
  name: "migrate",
  summary: "Migrate the database of a stopped server to this version",
  about:
    "`serve` does the same when it starts. As a step of its own it may take as long as it needs before anybody waits for " +
    "the server to answer.",
  options: {},
  async run(io, args) {
    const config = await configOf(io, args)
    const { data: folder } = config
    requireKept(folder)
    if (!hasData(folder)) {
      answer(io, args, { database: null }, "There is no database yet.")
      return 0
    }
    becomeOwnerOf(join(folder, databaseName))
    const store = openStore({
      folder,
      clock: systemClock,
      log: logTo(io, config.log),
      holder: `process ${process.pid}`,
      mode: modeOfFolder(folder) ?? "serve",
    })
    try {
      // Checked here, so that the fault is reported before the server is to start.
      openSecret(folder, await findSealed(store.read))
    } finally {
      await store.close()
    }
    answer(io, args, { database: "current" }, "The database is up to date.")
    return 0
  },
})
