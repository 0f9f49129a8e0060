import { beforeEach, expect, test } from "bun:test"
import { sent } from "../../src/mail/transport.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import { eventsOf, rowOf } from "../harness/mails.ts"
import { pathsIn, sendTracked, visit } from "../harness/tracking.ts"

let it: TestApp
beforeEach(async () => {
  it = await appOfTest()
})

test("hits in the ten seconds after a mail was sent are a scanner's, but still count", async () => {
  const { id, image, clicks } = await sendTracked(it)
  await it.advance({ seconds: 2 })
  for (const path of [image, ...clicks]) await visit(it, `GET ${path}`)
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({
    opens: 1,
    clicks: 2,
    scannerOpens: 1,
    scannerClicks: 2,
    status: "CLICKED",
  })
  expect(await eventsOf(it, "email.click", id)).toHaveLength(2)
  await it.advance({ seconds: 8 })
  for (const path of [image, clicks[0]]) await visit(it, `GET ${path}`)
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ opens: 2, clicks: 3, scannerOpens: 1, scannerClicks: 2 })
})

test("for a mail delivered later the ten seconds start at its delivery", async () => {
  const { id, clicks } = await sendTracked(it)
  await it.advance({ minutes: 20 })
  await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, id, { kind: "delivery" }))
  await it.advance({ seconds: 9 })
  await visit(it, `GET ${clicks[0]}`)
  await it.advance({ seconds: 1 })
  await visit(it, `GET ${clicks[0]}`)
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ clicks: 2, scannerClicks: 1 })
})

test("a hit while the mail is handed over is a scanner's", async () => {
  it.transport.answer = async (message) => {
    await visit(it, `GET ${pathsIn(message.html, "t/c")[0]}`)
    await it.app.bus.drain()
    return sent(null)
  }
  const { id } = await sendTracked(it)
  expect(await rowOf(it, id)).toMatchObject({ clicks: 1, scannerClicks: 1, status: "CLICKED", sentAt: it.clock.now() })
  expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
})
