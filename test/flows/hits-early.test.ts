import { describe, expect, test } from "bun:test"
import { cpSync } from "node:fs"
import { deferred, type Receipt, rejected, sent, unknownOutcome } from "../../src/mail/transport.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import { eventsOf, rowOf } from "../harness/mails.ts"
import { scratch, until } from "../harness/store.ts"
import { pathsIn, sendTracked, visit } from "../harness/tracking.ts"

const folder = scratch()

/** The filter of the server loads the image of a message before the server answers. */
async function filter(it: TestApp, { html }: { html: string }): Promise<void> {
  await visit(it, `GET ${pathsIn(html, "t/o")[0]}`)
  await it.app.bus.drain()
}

describe("a hit during the hand-over counts, and the receipt decides (contract A4.5.2)", () => {
  test.each(["TRANSACTIONAL", "MARKETING"] as const)("%s mail that is deferred is tried again", async (type) => {
    const it = await appOfTest()
    it.transport.answer = async (message) => {
      if (it.sent().length > 1) return sent(null)
      await filter(it, message)
      return deferred("451 4.7.1 Greylisted")
    }
    const { id } = await sendTracked(it, { type })
    expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", opens: 1, scannerOpens: 1, sentAt: null })
    await it.advance({ minutes: 1 })
    expect(await rowOf(it, id)).toMatchObject({ status: "OPENED", attempt: 2, sentAt: it.clock.now() })
    expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
  })

  test("mail that is refused has failed", async () => {
    const it = await appOfTest()
    it.transport.answer = async (message) => {
      await filter(it, message)
      return rejected("554 5.7.1 Spam")
    }
    const { id } = await sendTracked(it)
    expect(await rowOf(it, id)).toMatchObject({ status: "FAILED", error: "554 5.7.1 Spam", opens: 1, sentAt: null })
  })

  test("mail that is accepted has been opened, and a delivery that is reported meanwhile too", async () => {
    const it = await appOfTest()
    it.transport.answer = async (message) => {
      await filter(it, message)
      if (message.to.address === "bo@example.com")
        await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, message.id, { kind: "delivery" }))
      return sent(null)
    }
    for (const to of ["ada@example.com", "bo@example.com"])
      expect(await rowOf(it, (await sendTracked(it, { to })).id)).toMatchObject({
        status: "OPENED",
        sentAt: it.clock.now(),
      })
  })

  test("after a kill the mail is handed over again", async () => {
    const it = await appOfTest({ folder: folder() })
    let isSeen = false
    const { promise: answer, resolve } = Promise.withResolvers<Receipt>()
    it.transport.answer = async (message) => {
      await filter(it, message)
      isSeen = true
      return answer
    }
    void sendTracked(it, { type: "TRANSACTIONAL" }).catch(() => {})
    await until(() => isSeen)
    const copy = folder()
    cpSync(it.folder, copy, { recursive: true })
    const next = await appOfTest({ folder: copy, clock: it.clock, ids: it.ids })
    await next.settle()
    const [message] = next.sent()
    expect(await rowOf(next, message?.id)).toMatchObject({ status: "OPENED", attempt: 2, sentAt: it.clock.now() })
    resolve(sent(null))
  })
})

describe("a hit on mail that waits for another attempt", () => {
  test("does not prove that it was sent when the server has deferred it", async () => {
    const it = await appOfTest()
    it.transport.answer = () => (it.sent().length > 1 ? sent(null) : deferred("451 4.7.1 Greylisted"))
    const { id, message } = await sendTracked(it)
    await it.advance({ seconds: 30 })
    await filter(it, message)
    expect(await rowOf(it, id)).toMatchObject({ status: "PENDING", opens: 1, sentAt: null })
    await it.advance({ minutes: 1 })
    expect(await rowOf(it, id)).toMatchObject({ status: "OPENED", attempt: 2 })
  })

  test("proves it when the outcome of the hand-over is unknown", async () => {
    const it = await appOfTest()
    it.transport.answer = () => unknownOutcome("The line went dead.")
    const { id, message } = await sendTracked(it, { type: "TRANSACTIONAL" })
    const lastAttempt = it.clock.now()
    await it.advance({ seconds: 30 })
    await filter(it, message)
    await it.advance({ days: 3 })
    expect(await rowOf(it, id)).toMatchObject({ status: "OPENED", attempt: 1, sentAt: lastAttempt })
  })
})
