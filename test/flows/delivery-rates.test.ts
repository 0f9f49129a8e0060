import { expect, test } from "bun:test"
import { minute, second } from "../../src/kernel/clock.ts"
import { deferred, sent } from "../../src/mail/transport.ts"
import { appOfTest, type TestApp, type TestOptions } from "../harness/app.ts"
import { accept, addresses, countByStatus, marketing, recipients, rowOf, send, transportsOf } from "../harness/mails.ts"
import { recordingTransport } from "../harness/recording-transport.ts"
import { until, writesDone } from "../harness/store.ts"

const perProject = (limit: number): TestOptions => ({ settings: { "limits.emails_per_second": String(limit) } })

/** The number of mails sent in each of the next seconds. */
async function eachSecond(it: TestApp, count: number, handed: readonly unknown[] = it.sent()): Promise<number[]> {
  const counts: number[] = []
  for (let at = 0; at < count; at++) {
    const before = handed.length
    await (at === 0 ? it.settle() : it.advance({ seconds: 1 }))
    counts.push(handed.length - before)
  }
  return counts
}

test("a project sends no more than its share in a second, and all of it in time", async () => {
  const it = await appOfTest(perProject(100))
  await accept(it, {}, ...addresses(250))
  expect(await eachSecond(it, 4)).toEqual([100, 100, 50, 0])
  expect(await countByStatus(it)).toEqual({ SENT: 250 })
})

test("all lanes of a project share its rate, and urgent mail uses it first", async () => {
  const transport = recordingTransport({ concurrency: 1 })
  const it = await appOfTest({ ...perProject(10), overrides: { transports: transportsOf(transport) } })
  await accept(it, marketing, ...addresses(30, "bulk"))
  expect(await eachSecond(it, 1, transport.handed)).toEqual([10])
  await send(it, "reset@example.com")
  await it.advance({ seconds: 1 })
  expect(transport.handed).toHaveLength(20)
  expect(recipients(transport.handed).indexOf("reset@example.com")).toBe(10)
  expect(await eachSecond(it, 3, transport.handed)).toEqual([0, 10, 1])
})

test("one project's backlog does not delay another", async () => {
  const it = await appOfTest(perProject(50))
  const other = await it.app.projects.create("Other")
  await accept(it, {}, ...addresses(500))
  await accept(it, { projectId: other.id }, ...addresses(10, "other"))
  expect(await eachSecond(it, 1)).toEqual([60])
  expect(recipients(it.sent()).filter((to) => to.startsWith("other"))).toHaveLength(10)
  await accept(it, { projectId: other.id }, ...addresses(10, "later"))
  await it.settle()
  expect(recipients(it.sent()).slice(60)).toEqual(addresses(10, "later"))
})

test("without a limit projects take turns", async () => {
  const transport = recordingTransport({ concurrency: 1 })
  const it = await appOfTest({ overrides: { transports: transportsOf(transport) } })
  const other = await it.app.projects.create("Other")
  await accept(it, {}, ...addresses(150))
  await accept(it, { projectId: other.id }, ...addresses(5, "other"))
  await it.settle()
  const places = recipients(transport.handed).flatMap((to, at) => (to.startsWith("other") ? at : []))
  expect(places).toEqual([1, 3, 5, 7, 9])
})

test("a transport gets no more per second than its limit, from all projects together", async () => {
  const transport = recordingTransport({ perSecond: 14, concurrency: 4 })
  const it = await appOfTest({ overrides: { transports: transportsOf(transport) } })
  const other = await it.app.projects.create("Other")
  await accept(it, {}, ...addresses(20))
  await accept(it, { projectId: other.id, ...marketing }, ...addresses(20, "bulk"))
  expect(await eachSecond(it, 4, transport.handed)).toEqual([14, 14, 12, 0])
  expect(recipients(transport.handed).slice(0, 20).toSorted()).toEqual(addresses(20).toSorted())
})

test("a transport that takes batches is not given more than its rate either", async () => {
  const transport = recordingTransport({ perSecond: 14, concurrency: 2, batch: 10 })
  const it = await appOfTest({ overrides: { transports: transportsOf(transport) } })
  await accept(it, {}, ...addresses(30))
  expect(await eachSecond(it, 4, transport.handed)).toEqual([14, 14, 2, 0])
})

test("the running server continues sending after a second", async () => {
  const it = await appOfTest(perProject(20))
  await accept(it, {}, ...addresses(50))
  it.app.emails.delivery.loop.start()
  for (const count of [20, 40, 50]) {
    await until(() => it.sent().length >= count)
    await writesDone(it.app.store)
    expect(it.sent()).toHaveLength(count)
    await it.clock.advance(second)
  }
  await until(async () => (await countByStatus(it)).SENT === 50)
})

test("a clock that is set back delays mail for a second, not until it has caught up", async () => {
  let shift = 0
  const base = (await appOfTest({})).clock
  const clock = { ...base, now: () => base.now() + shift }
  const it = await appOfTest({ ...perProject(10), overrides: { clock } })
  await accept(it, {}, ...addresses(10))
  await it.settle()
  shift = -3_600_000
  await accept(it, {}, ...addresses(10, "later"))
  await it.settle()
  await base.advance(second)
  await it.settle()
  expect(it.sent()).toHaveLength(20)
})

test("a server whose clock is set back still finds mail whose time has come", async () => {
  let shift = 0
  const base = (await appOfTest({})).clock
  const clock = { ...base, now: () => base.now() + shift }
  const it = await appOfTest({ overrides: { clock } })
  it.app.emails.delivery.loop.start()
  const hasLeft = async (id?: string) => {
    await base.advance(second)
    return (await rowOf(it, id)).status === "SENT"
  }
  const [before] = await send(it, "before@example.com")
  await until(() => hasLeft(before))
  shift = -3_600_000
  it.transport.answer = () => (it.sent().length === 2 ? deferred("busy") : sent(null))
  const setBackAt = base.now()
  const [after] = await send(it, "after@example.com")
  await until(() => hasLeft(after))
  expect(base.now() - setBackAt).toBeLessThan(10 * minute)
})
