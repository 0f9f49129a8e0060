import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import { bytesOfId } from "../../src/kernel/ids.ts"
import { createKnownProjects } from "../../src/modules/projects/known.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

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

test("what was read before a project was changed is not remembered", async () => {
  const known = createKnownProjects({ changesOfOthers: () => 1 })
  const project = {
    id: "p",
    name: "One",
    language: "en",
    disabled: false,
    publicResubscribe: true,
    postalAddress: null,
  }
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
