import { expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { minute } from "../../src/kernel/clock.ts"
import { reasonOf } from "../../src/kernel/log.ts"
import {
  deferred,
  type Outgoing,
  type Receipt,
  rejected,
  sent,
  type Transport,
  unknownOutcome,
  unreachable,
} from "../../src/mail/transport.ts"
import { failover } from "../../src/mail/transports/failover.ts"
import { campaignTable } from "../../src/modules/campaigns/index.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { projectTable } from "../../src/modules/projects/index.ts"
import { appOfTest, type TestApp } from "../harness/app.ts"
import { startCampaign } from "../harness/campaigns.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import {
  accept,
  addresses,
  countByStatus,
  fromCampaign,
  marketing,
  recipients,
  rowOf,
  transportsOf,
  workflowMail,
} from "../harness/mails.ts"
import { heldSyncs, until } from "../harness/store.ts"

test("bulk mail that is claimed is not handed over to a contact who unsubscribes before", async () => {
  const it = await appOfTest()
  it.transport.answerBegins = true
  it.transport.answer = async (message) => {
    await it.app.store.write(it.project.id, async (unit) => {
      await unit.db.update(contactTable).set({ subscribed: false }).where(eq(contactTable.email, message.to.address))
    })
    return message.begin().then(
      () => sent(null),
      (cause) => deferred(reasonOf(cause)),
    )
  }
  const ids = [...(await accept(it, marketing, "ada@example.com")), ...(await accept(it, {}, "bo@example.com"))]
  await it.settle()
  expect(await rowOf(it, ids[0])).toMatchObject({ status: "CANCELLED", error: "unsubscribed" })
  expect(await rowOf(it, ids[1])).toMatchObject({ status: "SENT" })
  await it.advance({ hours: 2 })
  expect(recipients(it.sent()).toSorted()).toEqual(["ada@example.com", "bo@example.com"])
})

/** Mail to ada, bulk mail by default, and what `meanwhile` does between its claim and the beginning of its hand-over. */
async function sendMeanwhile(
  meanwhile: (it: TestApp, message: Outgoing) => Promise<void>,
  mail: Parameters<typeof accept>[1] = marketing,
) {
  const it = await appOfTest()
  it.transport.answerBegins = true
  it.transport.answer = async (message) => {
    await meanwhile(it, message)
    return message.begin().then(
      () => sent(null),
      (cause) => deferred(reasonOf(cause)),
    )
  }
  const [id = ""] = await accept(it, mail, "ada@example.com")
  await it.settle()
  return { it, id }
}

const cancelMail = ({ app, project }: TestApp): Promise<number> =>
  app.store.write(project.id, (unit) => app.emails.cancelPending(unit, project.id, fromCampaign.id, 100))

test("bulk mail of a campaign that is cancelled after the claim is not handed over", async () => {
  const { it, id } = await sendMeanwhile(async (it) => expect(await cancelMail(it)).toBe(1))
  expect(await rowOf(it, id)).toMatchObject({ status: "CANCELLED", error: "campaign_cancelled", leaseUntil: null })
})

test("bulk mail whose hand-over has begun is not cancelled, and has its outcome", async () => {
  const { it, id } = await sendMeanwhile(async (it, message) => {
    await message.begin()
    expect(await cancelMail(it)).toBe(0)
  })
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT" })
})

test("bulk mail that was rejected tells so, though its campaign is cancelled before that is stored", async () => {
  const syncs = heldSyncs()
  const it = await appOfTest({ overrides: { syncFile: syncs.syncFile } })
  const { store } = it.app
  let cancelled: Promise<number> | undefined
  it.transport.answerBegins = true
  it.transport.answer = async (message) => {
    await message.begin()
    syncs.hold()
    const { begun } = syncs
    void store.write(it.project.id, (unit) => unit.db.update(contactTable).set({ subscribed: true }))
    await until(() => syncs.begun > begun)
    // The lanes take turns: the receipt waits behind another unit of its lane, and so behind the cancellation.
    void store.write("instance", async () => {}, "delivery")
    cancelled = cancelMail(it)
    setImmediate(syncs.release)
    return rejected("550 No such user")
  }
  const [id = ""] = await accept(it, marketing, "ada@example.com")
  await it.settle()
  expect(await cancelled).toBe(0)
  expect(await rowOf(it, id)).toMatchObject({ status: "FAILED", error: "550 No such user" })
})

test("bulk mail that is cancelled while the next transport is about to be tried is handed over to nobody", async () => {
  const clock = createFakeClock()
  const gate = Promise.withResolvers<void>()
  const handedOver: string[] = []
  const common = { beginsEach: true, close: async () => {}, limits: { concurrency: 4, batch: 1 } } as const
  let isTried = false
  const down: Transport = {
    ...common,
    name: "down",
    async send(messages) {
      isTried = true
      await gate.promise
      return messages.map(() => unreachable("It is down."))
    },
  }
  const up: Transport = {
    ...common,
    name: "up",
    send: (messages) =>
      Promise.all(
        messages.map((message) =>
          message.begin().then(
            () => {
              handedOver.push(message.to.address)
              return sent(null)
            },
            (cause) => deferred(reasonOf(cause)),
          ),
        ),
      ),
  }
  const it = await appOfTest({ clock, overrides: { transports: transportsOf(failover([down, up], clock)) } })
  const [id = ""] = await accept(it, marketing, "ada@example.com")
  const settled = it.settle()
  await until(() => isTried)
  await it.app.store.write(it.project.id, async (unit) => {
    await it.app.emails.cancelPending(unit, it.project.id, fromCampaign.id, 100)
    gate.resolve()
    // The transaction stays open while the message moves on.
    for (let read = 0; read < 200; read++) await unit.db.select({ id: emailTable.id }).from(emailTable).limit(1)
  })
  await settled
  expect(handedOver).toEqual([])
  expect(await rowOf(it, id)).toMatchObject({ status: "CANCELLED" })
})

test("no mail of a campaign leaves that is deleted while it is being cancelled, though some has begun to", async () => {
  const it = await appOfTest()
  const gate = Promise.withResolvers<Receipt>()
  let [started, begun] = [0, 0]
  it.transport.answerBegins = true
  it.transport.answer = async (message) => {
    if (started++ >= 2) await gate.promise
    return message.begin().then(
      () => {
        begun++
        return gate.promise
      },
      (cause) => deferred(reasonOf(cause)),
    )
  }
  await it.app.store.write(it.project.id, async (unit) => {
    for (const email of addresses(6))
      await it.app.contacts.upsertIn(unit, it.project.id, { email, subscribedWhenNew: true })
  })
  const id = await startCampaign(it)
  const settled = it.settle()
  await until(async () => begun === 2 && (await countByStatus(it)).SENDING === 6)
  // As many as the deletion ends in its first slice, but for the two that it cannot end.
  await accept(it, { ...marketing, source: { kind: "campaign", id } }, ...addresses(998, "waiting"))
  expect((await it.api(`DELETE /campaigns/${id}`)).status).toBe(409)
  await it.app.store.write(it.project.id, (unit) =>
    unit.db.update(campaignTable).set({ status: "CANCELLED" }).where(eq(campaignTable.id, id)),
  )
  expect((await it.api(`DELETE /campaigns/${id}`)).status).toBe(200)
  gate.resolve(sent(null))
  await settled
  expect(await countByStatus(it)).toEqual({ SENT: 2, CANCELLED: 1_002 })
})

test("a report on bulk mail of unknown outcome tells when its hand-over began (contract B1.6.6)", async () => {
  const it = await appOfTest()
  let begunAt = 0
  it.transport.answerBegins = true
  it.transport.answer = async (message) => {
    await it.clock.advance(3 * minute)
    await message.begin()
    begunAt = it.clock.now()
    return unknownOutcome("closed")
  }
  const [id = ""] = await accept(it, marketing, "ada@example.com")
  await it.settle()
  await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, id, { kind: "delivery" }))
  expect(await rowOf(it, id)).toMatchObject({ status: "DELIVERED", sentAt: begunAt })
})

test("bulk mail whose cancellation is not stored is handed over", async () => {
  const { it, id } = await sendMeanwhile(async (it) => {
    const { app, project } = it
    const cancelled = app.store.write(project.id, async (unit) => {
      expect(await app.emails.cancelPending(unit, project.id, fromCampaign.id, 100)).toBe(1)
      throw new Error("not stored")
    })
    await expect(cancelled).rejects.toThrow("not stored")
  })
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", attempt: 1 })
})

const everyKind: [string, Parameters<typeof accept>[1], string][] = [
  ["bulk", marketing, "CANCELLED"],
  ["workflow", workflowMail, "FAILED"],
  ["transactional", {}, "FAILED"],
]

test.each(everyKind)(
  "%s mail of a project that a command disables after the claim is not handed over",
  async (_, mail, status) => {
    const { it, id } = await sendMeanwhile(async ({ app, project }) => {
      await app.store.write(project.id, (unit) =>
        unit.db.update(projectTable).set({ disabled: true }).where(eq(projectTable.id, project.id)),
      )
    }, mail)
    expect(await rowOf(it, id)).toMatchObject({ status, leaseUntil: null })
  },
)

test.each(everyKind)("%s mail that is deleted after the claim is not handed over", async (_, mail) => {
  const told: string[] = []
  const { it } = await sendMeanwhile(async ({ app, project }, message) => {
    await app.store.write(project.id, (unit) => unit.db.delete(emailTable).where(eq(emailTable.id, message.id)))
    told.push(await message.begin().then(() => "begun", reasonOf))
  }, mail)
  expect(told).toEqual(["The message is not to be handed over any more."])
  expect(await countByStatus(it)).toEqual({})
})
