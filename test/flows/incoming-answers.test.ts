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
