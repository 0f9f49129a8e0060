import { afterAll, beforeEach, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { signalTable } from "../../src/bus/table.ts"
import { mailHit } from "../../src/modules/emails/tracking/hits.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { eventsOf, rowOf } from "../harness/mails.ts"
import { leave, visit } from "../harness/tracking.ts"

let it: TestApp
const apps: TestApp[] = []
beforeEach(async () => {
  it = await startTestApp()
  apps.push(it)
})
afterAll(() => Promise.all(apps.map((app) => app.close())))

test("a hit that was answered is counted once, even if the server stops before it is processed", async () => {
  const { id, image, clicks } = await leave(it)
  await it.advance({ minutes: 1 })
  const at = it.clock.now()
  await visit(it, `GET ${image}`)
  await visit(it, `GET ${clicks[0]}`)
  await it.stop()
  await it.clock.advance(3_600_000)
  const { folder, clock, ids } = it
  const again = await startTestApp({ folder, clock, ids })
  apps.unshift(again)
  expect(await rowOf(again, id)).toMatchObject({ opens: 0, clicks: 0 })
  await again.settle()
  await again.settle()
  expect(await rowOf(again, id)).toMatchObject({ opens: 1, clicks: 1, openedAt: at, clickedAt: at, scannerOpens: 0 })
  expect(await eventsOf(again, "email.open", id)).toHaveLength(1)
  await again.stop()
})

test("a hit is stored when it is answered", async () => {
  const { image, clicks } = await leave(it)
  const stored = () => it.app.store.read.$count(signalTable, eq(signalTable.name, mailHit.name))
  expect(await stored()).toBe(0)
  await visit(it, `GET ${image}`)
  expect(await stored()).toBe(1)
  await visit(it, `GET ${clicks[0]}`)
  expect(await stored()).toBe(2)
})

test("links still redirect to their target after a restart", async () => {
  const { clicks } = await leave(it)
  await it.stop()
  const { folder, clock, ids } = it
  const again = await startTestApp({ folder, clock, ids })
  apps.unshift(again)
  expect((await visit(again, `GET ${clicks[1]}`)).headers.get("location")).toBe("https://acme.test/two")
  await again.stop()
})

test("a hit that cannot be stored is still answered, and logged", async () => {
  const { image } = await leave(it)
  await it.app.store.close()
  expect((await visit(it, `GET ${image}`)).status).toBe(200)
  expect(it.complaints).toMatchObject([{ level: "error", message: "A hit could not be stored" }])
})
