import { afterEach, expect, test } from "bun:test"
import { deferred, sent } from "../../src/mail/transport.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { accept, rowOf, send } from "../harness/mails.ts"

let it: TestApp
afterEach(() => it.close())

const actor = { userId: null, email: "test", address: null }
const disable = () => it.app.projects.setDisabled(it.project.id, "EMAIL_REPUTATION", actor)
const ended = { status: "FAILED", error: "project_disabled", sentAt: null }

test.each(["TRANSACTIONAL", "MARKETING"] as const)(
  "%s mail that is handed over while its project is disabled is not tried again (contract B9.4.5)",
  async (type) => {
    it = await startTestApp()
    it.transport.answer = async () => {
      await disable()
      await it.app.bus.drain()
      return deferred("451 Try later")
    }
    const [id] = await accept(it, { type }, "ada@example.com")
    await it.settle()
    it.transport.answer = () => sent(null)
    await it.advance({ days: 1 })
    expect(await rowOf(it, id)).toMatchObject({ ...ended, attempt: 1 })
    expect(it.sent()).toHaveLength(1)
  },
)

test("mail that is stored when the project has just been disabled does not leave", async () => {
  it = await startTestApp()
  const [id] = await send(it, "ada@example.com")
  await it.app.store.write(it.project.id, (unit) => unit.db.update(emailTable).set({ dueAt: Number.MAX_SAFE_INTEGER }))
  await disable()
  await it.app.bus.drain()
  await it.app.store.write(it.project.id, (unit) =>
    unit.db.update(emailTable).set({ status: "PENDING", error: null, dueAt: 0 }),
  )
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject(ended)
  expect(it.sent()).toEqual([])
})

test("more mail than two units end goes with a project that is enabled again at once (contract B9.4.5)", async () => {
  it = await startTestApp()
  it.transport.answer = () => deferred("451 Try later")
  const to = Array.from({ length: 1_000 }, (_, n) => `k${n}@example.com`)
  const mail = { from: "a@acme.test", subject: "Hello", body: "<p>Hello</p>" }
  for (const some of [to, to, to.slice(0, 100)]) await it.api("POST /v1/send", { body: { ...mail, to: some } })
  await disable()
  await it.app.projects.setDisabled(it.project.id, null)
  await it.api("POST /v1/send", { body: { ...mail, to: "since@example.com" } })
  await it.app.bus.drain()
  const total = async (status: string) => (await it.api(`GET /emails?status=${status}`)).body.total
  expect([await total("FAILED"), await total("PENDING")]).toEqual([2_100, 1])
})
