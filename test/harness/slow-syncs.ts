import { fdatasync } from "node:fs"
import { promisify } from "node:util"
import { createApp } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"

/**
 * `mailstead serve` on a slow disk: `bun slow-syncs.ts FOLDER`. Each sync of the log begins up to 20 ms late, so that a kill
 * almost always comes between a commit and its sync.
 */
const { config } = loadConfig({ options: { data: Bun.argv[2] ?? "", "http.port": "0" }, env: process.env })
const datasync = promisify(fdatasync)
const app = await createApp(config, {
  async syncFile(fd) {
    await Bun.sleep(Math.random() * 20)
    await datasync(fd)
  },
})
process.once("SIGTERM", () => void app.stop().then(() => process.exit(0)))
console.log(`listening on ${(await app.start()).url}`)
