import { expect, test } from "bun:test"
import { startTestApp } from "../harness/app.ts"
import { createWorkflow, inRow, steps, ways } from "../harness/workflows.ts"

const [contacts, workflows] = [20, 8]

test("executions with as much context as an event may have move on without reading that of all others each time", async () => {
  const it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
  try {
    const rests = inRow(steps.delay(1, "hours"), steps.delay(1, "hours"))
    const created = []
    for (let at = 0; at < workflows; at++) created.push(await createWorkflow(it, "big", rests))
    const data = { long: { value: "x".repeat(250_000), persistent: false } }
    for (let at = 0; at < contacts; at++)
      await it.api("POST /v1/track", { body: { email: `p${at}@example.com`, event: "big", data } })

    const before = process.threadCpuUsage()
    await it.settle()
    await it.advance({ hours: 1 })
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(6_000)

    for (const workflow of created) {
      expect((await it.api(`GET /workflows/${workflow.id}/executions?status=WAITING`)).body.total).toBe(contacts)
      const cancelled = await it.api(`POST /workflows/${workflow.id}/executions/cancel-all`)
      expect(cancelled.body).toEqual({ cancelled: contacts })
    }
    expect(await ways(it, created[0] as (typeof created)[number])).toHaveLength(contacts)
  } finally {
    await it.close()
  }
})
