import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eq } from "drizzle-orm"
import { minute, second } from "../../src/kernel/clock.ts"
import { bytesOfId } from "../../src/kernel/ids.ts"
import { reasonOf } from "../../src/kernel/log.ts"
import { deferred, type Outgoing, type Receipt, sent, type Transport, unreachable } from "../../src/mail/transport.ts"
import { failover } from "../../src/mail/transports/failover.ts"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTable } from "../../src/modules/emails/index.ts"
import { revertMigrations } from "../../src/store/migration-copies.ts"
import { readUnsyncedMarks } from "../../src/store/unsynced-marks.ts"
import { appOfTest, type TestApp, type TestOptions } from "../harness/app.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import {
  accept,
  addresses,
  countByStatus,
  eventsOf,
  marketing,
  recipients,
  rowOf,
  send,
  transportsOf,
  workflowMail,
} from "../harness/mails.ts"
import { heldSyncs, scratch, until } from "../harness/store.ts"

const folder = scratch()

async function start(options: TestOptions = {}): Promise<TestApp> {
  const it = await appOfTest({ folder: folder(), ...options })
  return it
}

/** Starts again on the folder of the other app, at the same time. */
const startAgain = ({ folder, clock, ids }: TestApp): Promise<TestApp> => start({ folder, clock, ids })

/** Leaves messages as after a kill: claimed. */
async function leaveUnderWay(
  it: TestApp,
  ids: readonly string[],
  attempt = 1,
  { leaseOwner = it.app.store.node }: { leaseOwner?: string } = {},
): Promise<void> {
  await it.app.store.write(it.project.id, async (unit) => {
    for (const id of ids) {
      const change = { status: "SENDING", attempt, leaseOwner, leaseUntil: unit.now + 10 * minute } as const
      await unit.db.update(emailTable).set(change).where(eq(emailTable.id, id))
    }
  })
}

test("after a crash interrupted transactional and workflow mail is tried again at once", async () => {
  const first = await start()
  const ids = [...(await send(first, "ada@example.com")), ...(await accept(first, workflowMail, "bo@example.com"))]
  await leaveUnderWay(first, ids)
  await first.stop()
  const it = await startAgain(first)
  for (const id of ids)
    expect(await rowOf(it, id)).toMatchObject({
      status: "PENDING",
      attempt: 1,
      leaseUntil: null,
      dueAt: it.clock.now(),
    })
  await it.settle()
  expect(recipients(it.sent())).toEqual(["ada@example.com", "bo@example.com"])
  expect(it.sent().map(({ messageId }) => messageId)).toEqual(ids.map((id) => `${id}@acme.test`))
  expect(await rowOf(it, ids[0])).toMatchObject({ status: "SENT", attempt: 2, error: null })
})

/** An app with two transports: one that is down, and one that takes `concurrency` messages at once, each when `take` does. */
async function startWithFailover(concurrency: number, take: (to: string) => Promise<Receipt>) {
  const clock = createFakeClock()
  const common = { beginsEach: true, close: async () => {} } as const
  const down: Transport = {
    ...common,
    name: "down",
    limits: { concurrency: 1, batch: 50 },
    async send(messages) {
      await Promise.all(messages.map((message) => message.begin()))
      return messages.map(() => unreachable("It is down."))
    },
  }
  const slow: Transport = {
    ...common,
    name: "slow",
    limits: { concurrency, batch: 1 },
    send: (messages) =>
      Promise.all(
        messages.map((message) =>
          message.begin().then(
            () => take(message.to.address),
            (cause) => deferred(reasonOf(cause)),
          ),
        ),
      ),
  }
  return start({ clock, overrides: { transports: transportsOf(failover([down, slow], clock)) } })
}

/** Starts on what a kill would leave of the app now; `change` is made to the folder before. */
function startAfterKill(
  { folder: from, clock, ids }: TestApp,
  change: (folder: string) => void = () => {},
): Promise<TestApp> {
  const left = folder()
  cpSync(from, left, { recursive: true })
  change(left)
  return start({ folder: left, clock, ids })
}

/** Leaves the folder as it is found when the machine has stopped and started again. */
function restartMachine(folder: string): void {
  const path = join(folder, "begun")
  writeFileSync(path, readFileSync(path, "latin1").replace(/^\S+/, crypto.randomUUID()), "latin1")
}

/** An app that has claimed six bulk messages and has begun to hand over two of them, until `end` is called. */
async function startWithBegun() {
  const gate = Promise.withResolvers<Receipt>()
  const handedOver: string[] = []
  const first = await startWithFailover(2, (to) => {
    handedOver.push(to)
    return gate.promise
  })
  const ids = await accept(first, marketing, ...addresses(6))
  const settled = first.settle()
  await until(() => handedOver.length === 2)
  const end = (): Promise<void> => {
    gate.resolve(sent(null))
    return settled
  }
  return { first, ids, handedOver, end }
}

test("after a kill bulk mail that was only claimed is sent, and that may be with its recipients is not repeated (contract B1.6.6)", async () => {
  const { first, ids, handedOver, end } = await startWithBegun()
  const it = await startAfterKill(first)
  for (const id of ids.slice(0, 2))
    expect(await rowOf(it, id)).toMatchObject({ status: "FAILED", error: "outcome_unknown", leaseUntil: null })
  for (const id of ids.slice(2))
    expect(await rowOf(it, id)).toMatchObject({
      status: "PENDING",
      attempt: 1,
      leaseUntil: null,
      dueAt: it.clock.now(),
    })
  await it.settle()
  expect([...handedOver, ...recipients(it.sent())]).toEqual(addresses(6))
  await end()
  expect(await countByStatus(first)).toEqual({ SENT: 6 })
})

test("after a kill bulk mail that the other side has accepted is sent, though its receipt was not stored yet", async () => {
  const syncs = heldSyncs()
  const first = await start({ overrides: { syncFile: syncs.syncFile } })
  const { store } = first.app
  first.transport.answerBegins = true
  first.transport.answer = async (message) => {
    await message.begin()
    // While the disk is busy with another change, no receipt is stored.
    syncs.hold()
    const { begun } = syncs
    void store.write(first.project.id, (unit) =>
      unit.db.update(contactTable).set({ subscribed: true }).where(eq(contactTable.email, "ada@example.com")),
    )
    await until(() => syncs.begun > begun)
    return sent(null)
  }
  const [id = ""] = await accept(first, marketing, "ada@example.com")
  const settled = first.settle()
  await until(() => readUnsyncedMarks(store)?.get(id)?.mark === 2)
  expect(await rowOf(first, id)).toMatchObject({ status: "SENDING" })
  const it = await startAfterKill(first)
  await it.settle()
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", error: null, leaseUntil: null })
  expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
  expect(it.sent()).toEqual([])
  syncs.release()
  await settled
})

test("after an update is taken back no bulk mail is sent again that had been handed over before it", async () => {
  const { first, handedOver, end } = await startWithBegun()
  const updated = await startAfterKill(first, (left) => {
    const db = new Database(join(left, "mailstead.db"))
    db.query("VACUUM INTO ?").run(join(left, "mailstead.db.before-0099"))
    db.close()
  })
  expect(await countByStatus(updated)).toEqual({ FAILED: 2, PENDING: 4 })
  await updated.stop()
  expect(revertMigrations(updated.folder, [])).toBe(true)
  const it = await startAgain(updated)
  await it.settle()
  expect(recipients(it.sent()).filter((to) => handedOver.includes(to))).toEqual([])
  expect(await countByStatus(it)).toEqual({ FAILED: 6 })
  await end()
})

test("after a second kill, before the server is ready, the same is known", async () => {
  const { first, ids, end } = await startWithBegun()
  const it = await startAfterKill(first, (left) => {
    const path = join(left, "mailstead.db")
    const db = new Database(path)
    db.run("UPDATE email SET status = 'FAILED', lease_owner = NULL, lease_until = NULL WHERE email.id = ?", [
      bytesOfId(ids[0] ?? ""),
    ])
    db.close()
  })
  expect(await statusOf(it, ids)).toEqual(["FAILED", "FAILED", "PENDING", "PENDING", "PENDING", "PENDING"])
  await end()
})

test("after the machine has stopped no bulk mail is repeated that was claimed, because nobody knows which of it had begun to leave", async () => {
  const { first, ids, end } = await startWithBegun()
  for (const change of [restartMachine, (left: string) => rmSync(join(left, "begun"))]) {
    const it = await startAfterKill(first, change)
    for (const id of ids)
      expect(await rowOf(it, id)).toMatchObject({ status: "FAILED", error: "outcome_unknown", leaseUntil: null })
    await it.settle()
    expect(it.sent()).toEqual([])
  }
  await end()
})

test("after a crash mail that the next transport has taken is not repeated, while others of its batch waited", async () => {
  const gate = Promise.withResolvers<Receipt>()
  const handedOver: string[] = []
  const first = await startWithFailover(1, (to) =>
    handedOver.push(to) < 3 ? Promise.resolve(sent(null)) : gate.promise,
  )
  await accept(first, {}, ...addresses(5))
  const settled = first.settle()
  await until(async () => handedOver.length === 3 && (await countByStatus(first)).SENT === 2)
  const it = await startAfterKill(first)
  await it.settle()
  expect(recipients(it.sent())).toEqual(addresses(5).slice(2))
  gate.resolve(sent(null))
  await settled
  expect([handedOver, await countByStatus(first)]).toEqual([addresses(5), { SENT: 5 }])
})

test("after a crash mail that a report had come for was sent, and is not tried again", async () => {
  const first = await start()
  const [id = ""] = await send(first, "ada@example.com")
  await leaveUnderWay(first, [id])
  await first.app.store.write(first.project.id, (unit) => first.app.emails.report(unit, id, { kind: "delivery" }))
  expect(await rowOf(first, id)).toMatchObject({ status: "DELIVERED", sentAt: null })
  await first.stop()
  const it = await startAgain(first)
  await it.settle()
  const now = it.clock.now()
  expect(await rowOf(it, id)).toMatchObject({ status: "DELIVERED", sentAt: now, leaseOwner: null, leaseUntil: null })
  expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
  expect(it.sent()).toEqual([])
})

test("a lease of mail that has ended does not keep the server from starting", async () => {
  const first = await start()
  const [id = ""] = await send(first, "ada@example.com")
  await first.settle()
  const sentAt = (await rowOf(first, id)).sentAt
  await first.app.store.write(first.project.id, async (unit) => {
    const held = { leaseOwner: first.app.store.node, leaseUntil: unit.now + 10 * minute }
    await unit.db.update(emailTable).set(held).where(eq(emailTable.id, id))
  })
  await first.stop()
  const it = await startAgain(first)
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", sentAt, leaseOwner: null, leaseUntil: null })
})

test("mail of another node is resolved at a start only when its lease has expired", async () => {
  const first = await start()
  const [id] = await accept(first, {}, "ada@example.com")
  await leaveUnderWay(first, [id ?? ""], 1, { leaseOwner: "another node" })
  await first.stop()
  const second = await startAgain(first)
  expect(await rowOf(second, id)).toMatchObject({ status: "SENDING", leaseOwner: "another node" })
  await second.clock.advance(11 * minute)
  await second.stop()
  const third = await startAgain(first)
  expect(await rowOf(third, id)).toMatchObject({ status: "PENDING", attempt: 1, leaseOwner: null, leaseUntil: null })
})

test("a hand-over begins only while its claim is valid", async () => {
  const it = await start()
  const begun: Record<string, string> = {}
  it.transport.answerBegins = true
  it.transport.answer = async (message) => {
    if (message.to.address === "bo@example.com") await leaveUnderWay(it, [message.id], 2)
    begun[message.to.address] = await message.begin().then(() => "yes", reasonOf)
    return deferred("stopped")
  }
  const [first, second] = await accept(it, marketing, "ada@example.com", "bo@example.com")
  await it.settle()
  expect(begun).toEqual({
    "ada@example.com": "yes",
    "bo@example.com": "The message is not to be handed over any more.",
  })
  expect((await rowOf(it, second)).status).toBe("SENDING")
  it.transport.answer = () => sent(null)
  await it.advance({ minutes: 1 })
  expect(await rowOf(it, first)).toMatchObject({ status: "SENT", attempt: 2 })
})

test("transactional mail that was claimed for the next connections at a kill is sent", async () => {
  const gate = Promise.withResolvers<Receipt>()
  const first = await start()
  first.transport.answer = () => gate.promise
  await accept(first, {}, ...addresses(10))
  const settled = first.settle()
  await until(async () => (await countByStatus(first)).SENDING === 10)
  const { length: handedOver } = first.sent()
  expect(handedOver).toBeLessThan(10)
  const it = await startAfterKill(first)
  await it.settle()
  expect(recipients(it.sent()).toSorted()).toEqual(addresses(10).toSorted())
  expect(await countByStatus(it)).toEqual({ SENT: 10 })
  gate.resolve(sent(null))
  await settled
})

test("mail that waited for its next attempt keeps its time and its count through a restart", async () => {
  const first = await start()
  first.transport.answer = () => deferred("busy")
  const [id] = await send(first, "ada@example.com")
  await first.settle()
  await first.advance({ minutes: 1 })
  await first.stop()
  const it = await startAgain(first)
  await it.advance({ minutes: 4 })
  expect(it.sent()).toEqual([])
  await it.advance({ minutes: 1 })
  expect(await rowOf(it, id)).toMatchObject({ status: "SENT", attempt: 3 })
})

test("a message that crashes its process each time finally fails", async () => {
  const first = await start()
  const [deadly, lucky] = await send(first, "deadly@example.com", "lucky@example.com")
  await leaveUnderWay(first, [deadly ?? ""], 9)
  await leaveUnderWay(first, [lucky ?? ""], 8)
  await first.stop()
  const it = await startAgain(first)
  expect(await rowOf(it, deadly)).toMatchObject({
    status: "FAILED",
    attempt: 9,
    error: "The hand-over was interrupted.",
  })
  await it.settle()
  expect(it.sent()).toEqual([])
  await it.advance({ hours: 1 })
  expect(recipients(it.sent())).toEqual(["lucky@example.com"])
})

test("a process that dies again and again does not use up the attempts of its mail at once", async () => {
  const first = await start()
  const [fourth, fifth] = await send(first, "fourth@example.com", "fifth@example.com")
  await leaveUnderWay(first, [fourth ?? ""], 4)
  await leaveUnderWay(first, [fifth ?? ""], 5)
  await first.stop()
  const it = await startAgain(first)
  expect((await rowOf(it, fourth)).dueAt).toBe(it.clock.now())
  expect((await rowOf(it, fifth)).dueAt).toBe(it.clock.now() + minute)
})

test("many interrupted messages are all resolved at start", async () => {
  const first = await start()
  await leaveUnderWay(first, await accept(first, {}, ...addresses(450)))
  await first.stop()
  const it = await startAgain(first)
  expect(await countByStatus(it)).toEqual({ PENDING: 450 })
})

/** An app that is handing over as many messages as its transport takes. */
async function startBusy(answer: (message: Outgoing, signal: AbortSignal) => Promise<Receipt>) {
  const it = await start()
  const send = it.transport.send.bind(it.transport)
  Object.assign(it.transport, {
    send: (messages: readonly Outgoing[], signal: AbortSignal) => {
      it.transport.answer = (message) => answer(message, signal)
      return send(messages, signal)
    },
  })
  const ids = await accept(it, {}, ...addresses(10))
  it.app.emails.delivery.loop.start()
  await until(() => it.sent().length === 4)
  return { it, ids }
}

const statusOf = (it: TestApp, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await rowOf(it, id)).status))

test("stopping lets running hand-overs finish, and starts no more", async () => {
  const gate = Promise.withResolvers<void>()
  const { it, ids } = await startBusy(async () => {
    await gate.promise
    return sent(null)
  })
  const stopped = it.app.emails.delivery.stop(8 * second)
  gate.resolve()
  await stopped
  expect(it.sent()).toHaveLength(4)
  const [done, left] = [ids.slice(0, 4), ids.slice(4)]
  expect(await statusOf(it, done)).toEqual(done.map(() => "SENT" as const))
  expect(await statusOf(it, left)).toEqual(left.map(() => "PENDING" as const))
  for (const id of done) expect(await eventsOf(it, "email.sent", id)).toHaveLength(1)
  await it.settle()
  expect(it.sent()).toHaveLength(4)
})

/** Stops the app while the clock advances. */
async function stopInTime(it: TestApp): Promise<void> {
  const state = { over: false }
  const stopped = it.stop().then(() => {
    state.over = true
  })
  await until(async () => {
    await it.clock.advance(second)
    return state.over
  })
  await stopped
}

const abortable = (signal: AbortSignal): Promise<Receipt> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(deferred("stopped")), { once: true }))

test("a message that a transport gives up at the deadline is released as if it had not been claimed", async () => {
  const { it, ids } = await startBusy((_, signal) => abortable(signal))
  await stopInTime(it)
  const next = await startAgain(it)
  const rows = await Promise.all(ids.map((id) => rowOf(next, id)))
  expect(rows.map(({ status, attempt, error, dueAt }) => [status, attempt, error, dueAt <= next.clock.now()])).toEqual(
    ids.map(() => ["PENDING", 0, null, true]),
  )
  await next.settle()
  expect(recipients(next.sent()).toSorted()).toEqual(addresses(10).toSorted())
})

test("a transport that does not give up cannot prevent the server from stopping, nor lose a message", async () => {
  const { it, ids } = await startBusy(() => new Promise(() => {}))
  await stopInTime(it)
  const next = await startAgain(it)
  expect((await rowOf(next, ids[0])).status).toBe("PENDING")
  await next.settle()
  expect(await countByStatus(next)).toEqual({ SENT: 10 })
})
