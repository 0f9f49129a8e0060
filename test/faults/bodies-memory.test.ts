import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { startMailstead } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const MB = 1_048_576
const folder = scratch()

/** The resident memory of a process in megabytes, now and at its peak. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1])
  return { now: Math.round(kilobytes("VmRSS") / 1_024), peak: Math.round(kilobytes("VmHWM") / 1_024) }
}

/** A process with 30 clients, each of which sends 48 MB of the 49 that it announced, or as much as is taken of it. */
const clients = (port: string, path: string, key: string, framing: string) => `
import { connect } from "node:net"
const piece = Buffer.alloc(${MB}, "x")
const chunked = ${JSON.stringify(framing)}.startsWith("Transfer")
const statuses = {}
await Promise.all(Array.from({ length: 30 }, () => new Promise((resolve) => {
  const socket = connect(${port}, "127.0.0.1")
  let said = ""
  let free = () => {}
  let ended = false
  const end = () => {
    socket.destroy()
    if (ended) return
    ended = true
    const status = said.slice(9, 12) || "none"
    statuses[status] = (statuses[status] ?? 0) + 1
    resolve()
  }
  socket.on("data", (bytes) => { said += bytes; end() }).on("error", end).on("close", end)
  socket.on("drain", () => free()).on("close", () => free())
  socket.on("connect", async () => {
    socket.write("POST ${path} HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer ${key}\\r\\n${framing}\\r\\n\\r\\n")
    for (let n = 0; n < 48 && !socket.destroyed; n++) {
      if (chunked) socket.write("100000\\r\\n")
      const taken = socket.write(piece)
      if (chunked) socket.write("\\r\\n")
      if (!taken) await new Promise((next) => { free = next })
    }
    // A server that waits for the rest does not answer.
    socket.setTimeout(3_000, end)
  })
})))
process.stdout.write(JSON.stringify(statuses))`

test.each([
  ["/v1/track", "pk_sandbox", `Content-Length: ${49 * MB}`],
  ["/v1/track", "pk_sandbox", "Transfer-Encoding: chunked"],
  ["/v1/send", "sk_sandbox", `Content-Length: ${49 * MB}`],
  ["/v1/send", "sk_sandbox", "Transfer-Encoding: chunked"],
])("30 clients of %s with %s that send 48 of 49 MB (%s) do not exhaust the memory", async (path, key, framing) => {
  const server = await startMailstead(["sandbox", "--port", "0", "--smtp-port", "0", "--data", folder()])
  try {
    const before = memoryOf(server.pid)
    const script = clients(new URL(server.url).port, path, key, framing.replaceAll("\r\n", "\\r\\n"))
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" })
    const statuses = JSON.parse(await new Response(child.stdout).text())
    const after = memoryOf(server.pid)
    console.info(`${path}, ${framing}: ${before.now} MB before, ${after.peak} MB at the most, answers`, statuses)
    expect(after.peak - before.now).toBeLessThan(500)
    // All of them come from one address, whose share of the memory may be used up before a body turns out too large.
    const { 413: tooLarge = 0, 503: noMemory = 0 } = statuses
    if (path === "/v1/track") expect([tooLarge + noMemory, tooLarge > 0]).toEqual([30, true])
    else expect(noMemory).toBeGreaterThan(0)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  } finally {
    await server.stop()
  }
})
