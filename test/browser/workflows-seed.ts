import { callsTo } from "./calls.ts"
import type { TestServer } from "./sandbox-server.ts"

/** A workflow `Welcome` that is started by `signup`: a mail, two days, and a branch by `data.plan`. */
export async function addWelcome(server: TestServer, enabled = true) {
  const calls = callsTo(server)
  const { id: templateId } = await calls.addTemplate({ name: "Hello", subject: "Hello from us" })
  const { id, steps } = await calls.post("/workflows", { name: "Welcome", eventName: "signup" })
  const add = async (type: string, name: string, config: unknown): Promise<string> =>
    (await calls.post(`/workflows/${id}/steps`, { type, name, config, autoConnect: false })).id
  const lead = (fromStepId: string, toStepId: string, branch?: string) =>
    calls.post(`/workflows/${id}/transitions`, { fromStepId, toStepId, branch })
  const mail = await add("SEND_EMAIL", "Greeting", { templateId })
  const rest = await add("DELAY", "Two days", { amount: 2, unit: "days" })
  const plan = await add("CONDITION", "Pro?", { field: "data.plan", operator: "equals", value: "pro" })
  const out = await add("EXIT", "Thanks", { reason: "pro" })
  await lead(steps[0].id, mail)
  await lead(mail, rest)
  await lead(rest, plan)
  await lead(plan, out, "yes")
  if (enabled) await calls.patch(`/workflows/${id}`, { enabled: true })
  return { calls, id, path: `/app/workflows/${id}` }
}
