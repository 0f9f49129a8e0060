import { expect, test } from "bun:test"
import { join } from "node:path"

const program = `
import { readdirSync, readFileSync } from "node:fs"
import { yieldToOthers } from ${JSON.stringify(join(import.meta.dir, "../../src/commands/low-priority.ts"))}
await Promise.all([1, 2, 3].map(() => Bun.file("/proc/self/stat").text()))
yieldToOthers()
await Bun.zstdCompress(new Uint8Array(1_000_000))
const niceOf = (thread) => readFileSync("/proc/self/task/" + thread + "/stat", "utf8").split(") ")[1].split(" ")[16]
console.log(JSON.stringify([...new Set(readdirSync("/proc/self/task").map(niceOf))]))
`

test("a backup gives way to the server with all of its threads", async () => {
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" })
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual(["19"])
})
