import { afterAll, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { reasonOf } from "../../src/kernel/log.ts"
import { deferred, type Outgoing, sent } from "../../src/mail/transport.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { projectTable } from "../../src/modules/projects/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { accept, census, fromCampaign, marketing, recipients, rowOf, workflowMail } from "../harness/mails.ts"

const running: TestApp[] = []
afterAll(() => Promise.all(running.map((it) => it.close())))

async function start(): Promise<TestApp> {
  const it = await startTestApp()
  running.push(it)
  return it
}

test("bulk mail that is claimed is not handed over to a contact who unsubscribes before", async () => {
  const it = await start()
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
  const it = await start()
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
  expect(await census(it)).toEqual({})
})
