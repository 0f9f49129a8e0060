import { describe, expect, test } from "bun:test"
import { deferred, sent } from "../../src/mail/transport.ts"
import { appOfTest } from "../harness/app.ts"
import { campaignOf, cancelCampaign, mailsOf, startCampaign, startWith, statusesOf } from "../harness/campaigns.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()

describe("a campaign that is cancelled", () => {
  test("lets running hand-overs finish and counts them", async () => {
    const it = await startWith(6)
    const gates: (() => void)[] = []
    it.transport.answer = () => new Promise((resolve) => gates.push(() => resolve(sent(null))))
    const id = await startCampaign(it)
    await it.app.jobs.drain()
    it.app.emails.delivery.loop.start()
    await until(() => gates.length > 0)
    const { body } = await cancelCampaign(it, id)
    const underWay = gates.length
    expect(body.data).toMatchObject({ status: "CANCELLED", cancelledCount: 6 - underWay, sentCount: 0 })
    for (const open of gates) open()
    await it.settle()
    expect(await campaignOf(it, id)).toMatchObject({ status: "CANCELLED", sentCount: underWay, totalRecipients: 6 })
    const [mail] = (await mailsOf(it, id)).filter(({ status }) => status === "SENT")
    await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, mail?.id ?? "", { kind: "delivery" }))
    expect(await campaignOf(it, id)).toMatchObject({ deliveredCount: 1, sentCount: underWay })
  })

  test("cancels a mail in hand-over when it is deferred", async () => {
    const it = await startWith(1)
    const gates: (() => void)[] = []
    it.transport.answer = () => new Promise((resolve) => gates.push(() => resolve(deferred("Later."))))
    const id = await startCampaign(it)
    await it.app.jobs.drain()
    it.app.emails.delivery.loop.start()
    await until(() => gates.length === 1)
    await cancelCampaign(it, id)
    expect(await statusesOf(it, id)).toEqual(["SENDING"])
    gates[0]?.()
    await until(async () => (await statusesOf(it, id))[0] === "CANCELLED")
    await it.advance({ minutes: 2 })
    expect(it.sent()).toHaveLength(1)
  })

  test("and deleted while the server stops has no mail left that its next start would send", async () => {
    const it = await startWith(1, { folder: folder() })
    const send = it.transport.send.bind(it.transport)
    let isBegun = false
    const givesUp: typeof send = (messages, signal) => {
      it.transport.answer = () =>
        new Promise((resolve) => {
          isBegun = true
          signal.addEventListener("abort", () => resolve(deferred("stopped")), { once: true })
        })
      return send(messages, signal)
    }
    Object.assign(it.transport, { send: givesUp })
    const id = await startCampaign(it)
    await it.app.jobs.drain()
    it.app.emails.delivery.loop.start()
    await until(() => isBegun)
    await cancelCampaign(it, id)
    expect((await it.api(`DELETE /campaigns/${id}`)).status).toBe(200)
    let isOver = false
    const stopped = it.stop().then(() => {
      isOver = true
    })
    await until(async () => {
      await it.clock.advance(1_000)
      return isOver
    })
    await stopped
    const again = await appOfTest({ folder: it.folder, clock: it.clock, ids: it.ids })
    await again.advance({ minutes: 2 })
    expect(again.sent()).toEqual([])
    expect((await again.api("GET /emails")).body.data[0]).toMatchObject({ status: "CANCELLED" })
  })

  test("with more mails than one unit cancels has the rest cancelled by a job, and none is sent meanwhile", async () => {
    const home = folder()
    const before = await startWith(5_050, { folder: home })
    const id = await startCampaign(before)
    await before.app.jobs.drain()
    const { body } = await cancelCampaign(before, id)
    expect(body.data).toMatchObject({ status: "CANCELLED", cancelledCount: 5_000, totalRecipients: 5_050 })
    // The remaining fifty are due before the job runs.
    await before.stop()
    const { clock, ids } = before
    const it = await appOfTest({ folder: home, clock, ids })
    await it.app.emails.delivery.drain()
    expect(it.sent()).toEqual([])
    await it.settle()
    expect(await campaignOf(it, id)).toMatchObject({ cancelledCount: 5_050, sentCount: 0 })
  })
})
