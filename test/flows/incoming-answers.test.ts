import { expect, test } from "bun:test"
import { shop, startIncomingApp } from "../harness/incoming.ts"
import { createWorkflow, steps } from "../harness/workflows.ts"

test("a workflow that answers what comes in does not answer its own mail when that comes back (RFC 3834)", async () => {
  await using app = await startIncomingApp()
  const { it } = app
  await createWorkflow(it, "email.received", steps.mail("R"), { allowReentry: true })
  // A form on a website that writes in the name of its owner.
  await app.deliver("hi@acme.test", `support@${shop}`, "From: hi@acme.test\n\nA question")
  await it.settle()
  const answers = it.sent()
  expect(answers.map(({ to }) => to.address)).toEqual(["hi@acme.test"])
  await app.deliver("hi@acme.test", "hi@acme.test", Buffer.from(answers[0]?.mime() ?? []).toString())
  await it.settle()
  const events = await app.events("email.received")
  expect(events.map(({ contactId }) => contactId !== null)).toEqual([true, false])
  expect(it.sent()).toHaveLength(1)
})

test("nor when a server on the way has taken off the field that says so, and it answers other mail of its project", async () => {
  await using app = await startIncomingApp()
  const { it } = app
  await createWorkflow(it, "email.received", steps.mail("R"), { allowReentry: true })
  await app.deliver("hi@acme.test", `support@${shop}`, "From: hi@acme.test\n\nA question")
  await it.settle()
  const answer = Buffer.from(it.sent()[0]?.mime() ?? []).toString()
  expect(answer).toContain("Auto-Submitted: auto-generated\r\n")
  await app.deliver("hi@acme.test", "hi@acme.test", answer.replace("Auto-Submitted: auto-generated\r\n", ""))
  await it.settle()
  expect(it.sent()).toHaveLength(1)
  // As the form of a website sends it.
  const form = { to: `support@${shop}`, from: `news@${shop}`, subject: "Form", body: "<p>A question</p>" }
  await it.api("POST /v1/send", { body: form })
  await it.settle()
  await app.deliver(`news@${shop}`, `support@${shop}`, Buffer.from(it.sent()[1]?.mime() ?? []).toString())
  await it.settle()
  const events = await app.events("email.received")
  expect(events.map(({ contactId }) => contactId !== null)).toEqual([true, false, true])
  expect(it.sent()).toHaveLength(3)
})

test("two servers that answer what comes in by a workflow do not answer each other (contract A7.1.1, B9.6.5)", async () => {
  await using first = await startIncomingApp()
  await using second = await startIncomingApp()
  for (const { it } of [first, second])
    await createWorkflow(it, "email.received", steps.mail("R"), { allowReentry: true })
  await first.deliver("hi@acme.test", `support@${shop}`, "From: hi@acme.test\n\nA question")
  await first.it.settle()
  const [answer] = first.it.sent()
  const content = Buffer.from(answer?.mime() ?? []).toString()
  expect((await second.deliver("hi@acme.test", `support@${shop}`, content)).code).toBe(250)
  await second.it.settle()
  expect(await second.events("email.received")).toHaveLength(1)
  expect(second.it.sent()).toEqual([])
})
