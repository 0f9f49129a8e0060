import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import { bytesOfId } from "../../src/kernel/ids.ts"
import { createRowCache } from "../../src/store/row-cache.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { shop, startIncomingApp } from "../harness/incoming.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const statusWith = async (key: string) => (await it.api("GET /contacts", { key })).status

test("a key is refused from the moment on that this process or another replaces it or disables its project", async () => {
  const { projects } = it.app
  const { id, secret } = await projects.create("Known")
  expect([await statusWith(secret), await statusWith(secret)]).toEqual([200, 200])
  await projects.setDisabled(id, "MANUAL")
  expect(await statusWith(secret)).toBe(403)
  await projects.setDisabled(id, null)
  expect(await statusWith(secret)).toBe(200)

  const other = new Database(join(it.folder, "mailstead.db"))
  other.run("UPDATE project SET disabled = 1 WHERE id = ?", [bytesOfId(id)])
  await yieldToEventLoop()
  expect(await statusWith(secret)).toBe(403)
  other.run("UPDATE project SET disabled = 0 WHERE id = ?", [bytesOfId(id)])
  other.close()
  await yieldToEventLoop()
  expect(await statusWith(secret)).toBe(200)

  await projects.settings.rotateKeys(id)
  expect(await statusWith(secret)).toBe(401)
})

test("a sender is refused and allowed from the moment on that its domain, or this process or another, says so", async () => {
  await using incoming = await startIncomingApp()
  const { it: app, dns } = incoming
  const mail = { to: "ada@example.com", subject: "Hi", body: "<p>Hi</p>" }
  const from = async (address: string) => (await app.api("POST /v1/send", { body: { ...mail, from: address } })).status
  expect([await from(`hi@${shop}`), await from("hi@late.test")]).toEqual([200, 403])

  const { id: late } = await app.app.domains.add(app.project.id, "late.test", { vouched: true })
  expect(await from("hi@late.test")).toBe(200)
  const other = new Database(join(app.folder, "mailstead.db"))
  other.run("DELETE FROM domain WHERE id = ?", [bytesOfId(late)])
  other.close()
  await yieldToEventLoop()
  expect([await from(`hi@${shop}`), await from("hi@late.test")]).toEqual([200, 403])

  const id = (await app.app.domains.named(app.project.id, shop)).id
  dns.zone = {}
  for (let check = 0; check < 3; check++) await app.api(`GET /domains/${id}/verify`)
  expect(await from(`hi@${shop}`)).toBe(403)

  const again = await app.app.domains.add(app.project.id, "late.test", { vouched: true })
  expect(await from("hi@late.test")).toBe(200)
  await app.api(`DELETE /domains/${again.id}`)
  expect(await from("hi@late.test")).toBe(403)
})

test("what was read before a row was changed is not remembered", async () => {
  const known = createRowCache<{ name: string }>({ changesOfOthers: () => 1 })
  const project = { name: "One" }
  const callbacks: (() => void)[] = []
  const first = await known.find("key", async () => {
    known.forget({ db: it.app.store.read, now: 1, afterCommit: (run) => void callbacks.push(run) })
    return project
  })
  expect(first).toEqual(project)
  expect((await known.find("key", async () => ({ ...project, name: "Two" })))?.name).toBe("Two")
  for (const run of callbacks) run()
  expect((await known.find("key", async () => ({ ...project, name: "Three" })))?.name).toBe("Three")
  expect((await known.find("key", async () => undefined))?.name).toBe("Three")
})
