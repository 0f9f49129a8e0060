import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startProgram } from "./tools/process.ts"
import { below, type Figure } from "./tools/table.ts"

const executable = join(import.meta.dir, "../../dist/mailstead")
const runs = 7

/** The executable on an empty folder: the time until it listens (the median of some starts), and its idle memory. */
export async function start(): Promise<Figure[]> {
  if (!existsSync(executable)) throw new Error("There is no dist/mailstead: bun run build")
  const times: number[] = []
  let memory = 0
  for (let run = 0; run < runs; run++) {
    const folder = mkdtempSync(join(tmpdir(), "mailstead-start-"))
    const server = await startProgram(
      [executable, "serve", "--port", "0", "--data", join(folder, "data")],
      /listening on (\S+)/,
    )
    times.push(server.readyMs)
    if (run === runs - 1) {
      await Bun.sleep(2_000)
      memory = server.memory()
    }
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const median = times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN
  return [
    below("executable listening, empty folder", median, "ms", 200, "fork and exec"),
    below("executable, resident memory idle", memory, "MB", 150, "nothing"),
  ]
}
