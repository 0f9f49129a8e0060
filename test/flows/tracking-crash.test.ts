import { beforeEach, expect, test } from "bun:test"
import { mailHit } from "../../src/modules/emails/tracking/hits.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import { eventsOf, rowOf } from "../harness/mails.ts"
import { sendTracked, visit } from "../harness/tracking.ts"

let it: TestApp
beforeEach(async () => {
  it = await appOfTest()
})

test("an open and a click count in the record that is read after their answer (contract A7.3.3)", async () => {
  const { id, contactId, image, clicks } = await sendTracked(it)
  const read = async () => (await it.api(`GET /emails/${id}`)).body
  await visit(it, `GET ${image}`)
  expect(await read()).toMatchObject({ status: "OPENED", opens: 1, clicks: 0 })
  await visit(it, `GET ${clicks[0]}`)
  expect(await read()).toMatchObject({ status: "CLICKED", opens: 1, clicks: 1 })
  const { data } = (await it.api(`GET /events/contact/${contactId}`)).body
  expect(data.slice(0, 2).map(({ name }: { name: string }) => name)).toEqual(["email.click", "email.open"])
})

test("a hit that was answered is counted once, even if the server stops right after", async () => {
  const { id, image, clicks } = await sendTracked(it)
  await it.advance({ minutes: 1 })
  const at = it.clock.now()
  await visit(it, `GET ${image}`)
  await visit(it, `GET ${clicks[0]}`)
  const again = await restarted()
  expect(await rowOf(again, id)).toMatchObject({ opens: 1, clicks: 1, openedAt: at, clickedAt: at, scannerOpens: 0 })
  expect(await eventsOf(again, "email.open", id)).toHaveLength(1)
  await again.stop()
})

test("hits that an older version has answered, and left as signals, are counted once, as of their time", async () => {
  const { id } = await sendTracked(it)
  const at = it.clock.now()
  const hit = { emailId: id, link: null, at }
  await it.app.store.write("instance", (unit) => it.app.bus.emit(unit, mailHit, it.project.id, hit))
  const again = await restarted()
  expect(await rowOf(again, id)).toMatchObject({ opens: 1, openedAt: at, scannerOpens: 1 })
  await again.stop()
})

/** Another server on the same folder, an hour later, when it has done what was left. */
async function restarted(): Promise<TestApp> {
  await it.stop()
  await it.clock.advance(3_600_000)
  const { folder, clock, ids } = it
  const again = await appOfTest({ folder, clock, ids })
  await again.settle()
  await again.settle()
  return again
}

test("links still redirect to their target after a restart", async () => {
  const { clicks } = await sendTracked(it)
  await it.stop()
  const { folder, clock, ids } = it
  const again = await appOfTest({ folder, clock, ids })
  expect((await visit(again, `GET ${clicks[1]}`)).headers.get("location")).toBe("https://acme.test/two")
  await again.stop()
})

test("a hit that cannot be stored is still answered, and logged", async () => {
  const { image } = await sendTracked(it)
  await it.app.store.close()
  expect((await visit(it, `GET ${image}`)).status).toBe(200)
  expect(it.complaints).toMatchObject([{ level: "error", message: "A hit could not be stored" }])
})
