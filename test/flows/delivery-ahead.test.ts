import { expect, test } from "bun:test"
import { type Receipt, sent, type Transport } from "../../src/mail/transport.ts"
import { appOfTest } from "../harness/app.ts"
import { createFakeClock } from "../harness/fake-clock.ts"
import { accept, addresses, countByStatus, marketing, transportsOf } from "../harness/mails.ts"
import { until } from "../harness/store.ts"

/** An app whose transport takes three messages at once and two ahead; the first one takes `ms`, the others wait for `end`. */
async function startAhead(ms: number) {
  const clock = createFakeClock()
  const gate = Promise.withResolvers<Receipt>()
  const calls: string[] = []
  const transport: Transport = {
    name: "prepares",
    beginsEach: true,
    limits: { concurrency: 3, ahead: 2, batch: 1 },
    async send([message]) {
      calls.push(message?.to.address ?? "")
      await message?.begin()
      if (calls.length > 1) return [await gate.promise]
      await clock.advance(ms)
      return [sent(null)]
    },
    close: async () => {},
  }
  const it = await appOfTest({ clock, overrides: { transports: transportsOf(transport) } })
  await accept(it, marketing, "first@example.com")
  await it.settle()
  await accept(it, marketing, ...addresses(10))
  const settled = it.settle()
  await until(async () => (await countByStatus(it)).SENDING === 10)
  const end = (): Promise<void> => {
    gate.resolve(sent(null))
    return settled
  }
  return { it, calls, end }
}

test("while calls are quick a transport gets as many messages more as it prepares ahead", async () => {
  const { it, calls, end } = await startAhead(249)
  await until(() => calls.length === 6)
  await end()
  expect(await countByStatus(it)).toEqual({ SENT: 11 })
  expect(calls).toEqual(["first@example.com", ...addresses(10)])
})

test("while calls are slow it gets no more than it hands over at once", async () => {
  const { it, calls, end } = await startAhead(250)
  await until(() => calls.length === 4)
  // Whoever waits for a unit here lets the delivery go on.
  for (let unit = 0; unit < 5; unit++) await it.app.store.write("instance", async () => {}, "delivery")
  expect(calls.length).toBe(4)
  await end()
  expect(await countByStatus(it)).toEqual({ SENT: 11 })
})
