import { afterEach, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { sent } from "../../src/mail/transport.ts"
import { auditTable } from "../../src/modules/audit/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { signUp } from "../harness/accounts.ts"
import type { TestApp, TestOptions } from "../harness/app.ts"
import { accept, addresses, send } from "../harness/mails.ts"
import { reportBySes, startReportsApp } from "../harness/sns.ts"

let it: TestApp
afterEach(() => it.close())

type Kind = "bounce" | "complaint"
const events = {
  bounce: { eventType: "Bounce", bounce: { bounceType: "Permanent" } },
  complaint: { eventType: "Complaint" },
}

async function start(options: TestOptions & { age?: number } = {}): Promise<void> {
  ;({ it } = await startReportsApp(options))
  await it.advance({ days: options.age ?? 31 })
}

let next = 0
async function mail(count: number, domain = "example.com"): Promise<string[]> {
  const ids = await send(it, ...Array.from({ length: count }, () => `p${next++}@${domain}`))
  await it.settle()
  return ids
}

async function report(kind: Kind, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const answer = await reportBySes(it, { messageId: "x", tags: { "mailstead-email": [id] } }, events[kind])
    expect(answer.status).toBe(200)
  }
  await check()
}

/** A project is checked at the end of the second in which it was reported of. */
async function check(): Promise<void> {
  await it.settle()
  await it.advance({ seconds: 1 })
}

const isDisabled = async () => {
  const { disabled, disabledReason } = await it.app.projects.get(it.project.id)
  return disabled ? disabledReason : false
}
const audited = () => it.app.store.read.select().from(auditTable).where(eq(auditTable.action, "project.disabled"))

describe("A project is disabled by its returns (contract B9.4)", () => {
  test.each<[string, Kind, number, number]>([
    ["10 % of 100 mails bounced in 7 days", "bounce", 100, 10],
    ["8 % of 125 mails bounced in all time", "bounce", 125, 10],
    ["5 complaints on 100 mails", "complaint", 100, 5],
  ])("when %s, and not one report before", async (_, kind, total, count) => {
    await start()
    const ids = await mail(total)
    await report(kind, ...ids.slice(0, count - 1))
    expect(await isDisabled()).toBe(false)
    await report(kind, ids[count - 1] ?? "")
    expect(await isDisabled()).toBe("EMAIL_REPUTATION")
  })

  test("not below 100 mails, though all of them bounced", async () => {
    await start()
    const ids = await mail(99)
    await report("bounce", ...ids)
    expect(await isDisabled()).toBe(false)
  })

  test.each<[Kind, number]>([
    ["bounce", 25],
    ["complaint", 7],
  ])("when it is new: %s number %i in 24 hours", async (kind, count) => {
    await start({ age: 0 })
    const ids = await mail(count)
    await report(kind, ...ids.slice(1))
    expect(await isDisabled()).toBe(false)
    await report(kind, ids[0] ?? "")
    expect(await isDisabled()).toBe("EMAIL_REPUTATION")
  })

  test("once: the members have mail, the log has a row, what waits fails, requests are refused", async () => {
    await start({ settings: { "system_mail.from": "Mailstead <mailstead@acme.test>" } })
    const owner = await signUp(it, "owner@acme.test")
    await it.settle()
    const ids = await mail(100)
    it.transport.answer = async () => ({ outcome: "deferred", reason: "Later." })
    const [waiting = ""] = await mail(1)
    it.transport.answer = async () => sent(null)
    const before = it.sent().length
    await report("bounce", ...ids.slice(0, 12))
    expect(await isDisabled()).toBe("EMAIL_REPUTATION")
    await report("complaint", ...ids.slice(12, 20))
    expect(it.sent().slice(before)).toMatchObject([
      { to: { address: "owner@acme.test" }, subject: "Acme was disabled", from: { address: "mailstead@acme.test" } },
    ])
    expect(await audited()).toMatchObject([
      {
        projectId: it.project.id,
        userId: null,
        actor: "mailstead",
        address: null,
        details: { reason: "EMAIL_REPUTATION" },
      },
    ])
    const [row] = await it.app.store.read.select().from(emailTable).where(eq(emailTable.id, waiting))
    expect(row).toMatchObject({ status: "FAILED", error: "project_disabled" })
    const refused = await it.api("POST /v1/send", {
      body: { to: "a@example.com", from: "hi@acme.test", subject: "Hi", body: "Hi" },
    })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "PROJECT_DISABLED" } } })
    const { body } = await owner.api(`GET /users/@me/projects/${it.project.id}/security`)
    expect(body).toMatchObject({ isDisabled: true, status: { shouldDisable: true } })
  })

  test("by what came back before the receipts were stored", async () => {
    await start()
    await mail(100)
    it.transport.answer = async ({ id }) => {
      await reportBySes(it, { messageId: "x", tags: { "mailstead-email": [id] } }, events.complaint)
      return sent(null)
    }
    await mail(5)
    await check()
    expect(await isDisabled()).toBe("EMAIL_REPUTATION")
  })

  test("not by what came back to another project", async () => {
    await start()
    const other = await it.app.projects.create("Other")
    const theirs = await accept(it, { projectId: other.id }, ...addresses(100, "theirs"))
    await it.settle()
    const ours = await mail(20)
    await report("bounce", ...theirs.slice(0, 9), ours[0] ?? "")
    expect(await isDisabled()).toBe(false)
    await report("bounce", theirs[9] ?? "")
    expect(await isDisabled()).toBe(false)
    expect(await it.app.projects.get(other.id)).toMatchObject({ disabled: true, disabledReason: "EMAIL_REPUTATION" })
  })

  test("not by transient bounces, and not by mail to the simulator of SES", async () => {
    await start()
    const ids = await mail(100)
    for (const id of ids)
      await reportBySes(
        it,
        { messageId: "x", tags: { "mailstead-email": [id] } },
        { eventType: "Bounce", bounce: { bounceType: "Transient" } },
      )
    await report("bounce", ...(await mail(50, "simulator.amazonses.com")))
    expect(await isDisabled()).toBe(false)
  })

  test("not again for the one kind when it was enabled and the other kind is reported", async () => {
    await start()
    const ids = await mail(100)
    await report("bounce", ...ids.slice(0, 10))
    expect(await isDisabled()).toBe("EMAIL_REPUTATION")
    await it.app.projects.setDisabled(it.project.id, null)
    await report("complaint", ids[20] ?? "")
    expect(await isDisabled()).toBe(false)
    await report("bounce", ids[21] ?? "")
    expect(await isDisabled()).toBe("EMAIL_REPUTATION")
    expect(await audited()).toHaveLength(2)
  })

  test("by nobody when the setting is off: it is only reported", async () => {
    await start({ settings: { "security.auto_disable": "false" } })
    const owner = await signUp(it, "owner@acme.test")
    await report("bounce", ...(await mail(100)).slice(0, 20))
    expect(await isDisabled()).toBe(false)
    const { body } = await owner.api(`GET /users/@me/projects/${it.project.id}/security`)
    expect(body).toMatchObject({ isDisabled: false, status: { shouldDisable: true, isHealthy: false } })
  })

  test("also when the server is stopped between the report and the check", async () => {
    await start()
    const ids = await mail(100)
    for (const id of ids.slice(0, 10))
      await reportBySes(it, { messageId: "x", tags: { "mailstead-email": [id] } }, events.bounce)
    await it.stop()
    const { folder, clock, ids: sequence } = it
    ;({ it } = await startReportsApp({ folder, clock, ids: sequence }))
    await check()
    expect(await isDisabled()).toBe("EMAIL_REPUTATION")
  })
})
