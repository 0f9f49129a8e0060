import { expect, test } from "bun:test"
import { silentLog } from "../../src/kernel/log.ts"
import { type Outgoing, sent, type Transport, withheld } from "../../src/mail/transport.ts"
import { failover } from "../../src/mail/transports/failover.ts"
import { guarded } from "../../src/mail/transports/guard.ts"
import { messageTo } from "../contracts/messages.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

const never = new AbortController().signal

/** A guarded transport, and a record of the calls in order. */
function listening(options: Pick<Transport, "beginsEach" | "repeatable"> = {}) {
  const order: string[] = []
  const message = (address: string, refusal?: string): Outgoing => ({
    ...messageTo(address),
    async begin() {
      order.push(`begin ${address}`)
      if (refusal !== undefined) throw new Error(refusal)
    },
  })
  const transport: Transport = {
    name: "plain",
    limits: { concurrency: 1, batch: 10 },
    ...options,
    async send(messages) {
      order.push(`send ${messages.map(({ to }) => to.address).join(" ")}`)
      return messages.map(({ to }) => sent(to.address))
    },
    close: async () => {},
  }
  return { order, message, transport: guarded(transport, (text) => text, silentLog, createFakeClock()) }
}

test("messages of a transport that does not begin them itself have begun before it gets them", async () => {
  const { order, message, transport } = listening()
  const receipts = await transport.send([message("a@b.test"), message("c@d.test")], never)
  expect(order).toEqual(["begin a@b.test", "begin c@d.test", "send a@b.test c@d.test"])
  expect(receipts).toEqual([sent("a@b.test"), sent("c@d.test")])
})

test("a message that may not begin does not get to the transport, and is deferred in its place", async () => {
  const { order, message, transport } = listening()
  const receipts = await transport.send([message("a@b.test"), message("c@d.test", "no"), message("e@f.test")], never)
  expect(order.at(-1)).toBe("send a@b.test e@f.test")
  expect(receipts).toEqual([sent("a@b.test"), withheld("no"), sent("e@f.test")])
})

test("a transport that begins each message itself has none begun for it", async () => {
  const { order, message, transport } = listening({ beginsEach: true })
  await transport.send([message("a@b.test")], never)
  expect(order).toEqual(["send a@b.test"])
})

test("a transport to which a message may be handed over again has none begun for it, unless it is one of several", async () => {
  const { order, message, transport } = listening({ repeatable: true })
  await transport.send([message("a@b.test")], never)
  await failover([transport], createFakeClock()).send([message("c@d.test"), message("e@f.test", "no")], never)
  expect(order).toEqual(["send a@b.test", "begin c@d.test", "begin e@f.test", "send c@d.test"])
})
