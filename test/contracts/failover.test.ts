import { describe, expect, test } from "bun:test"
import type { Clock } from "../../src/kernel/clock.ts"
import {
  deferred,
  type Outgoing,
  type Receipt,
  rejected,
  sent,
  type Transport,
  type TransportLimits,
  unknownOutcome,
  unreachable,
  withheld,
} from "../../src/mail/transport.ts"
import { failover } from "../../src/mail/transports/failover.ts"
import { messageTo } from "./messages.ts"

const never = new AbortController().signal

interface Stub extends Transport {
  /** Recipients of each call, in order. */
  readonly calls: string[][]
  closed: number
  answer: (message: Outgoing) => Receipt | Promise<Receipt>
}

function stub(name: string, answer: Stub["answer"], limits: TransportLimits = { concurrency: 9, batch: 9 }): Stub {
  const made: Stub = {
    name,
    limits,
    calls: [],
    closed: 0,
    answer,
    send: (messages) => {
      made.calls.push(messages.map(({ to }) => to.address))
      return Promise.all(messages.map((message) => made.answer(message)))
    },
    close: async () => {
      made.closed++
    },
  }
  return made
}

function chain(...stubs: [Transport, ...Transport[]]) {
  let at = 0
  const clock: Clock = { now: () => at, sleep: () => Promise.resolve() }
  const transport = failover(stubs, clock)
  const send = (...to: string[]) =>
    transport.send(
      to.map((address) => messageTo(address)),
      never,
    )
  return { transport, send, wait: (ms: number) => (at += ms) }
}

const fine = (name: string) => () => sent(name)
const down = (name: string) => () => unreachable(`${name} is down`)

describe("failover", () => {
  test("uses the first transport while it works", async () => {
    const [first, second] = [stub("a", fine("a")), stub("b", fine("b"))]
    const { send, transport } = chain(first, second)
    expect(await send("x@shop.test")).toEqual([sent("a")])
    expect(second.calls).toEqual([])
    expect(transport).toMatchObject({ name: "a, else b", limits: first.limits })
  })

  test("uses the next at once when the first cannot be reached, for those messages only", async () => {
    const first = stub("a", ({ to }) => (to.address.startsWith("x") ? unreachable("a is down") : sent("a")))
    const second = stub("b", fine("b"))
    const { send } = chain(first, second)
    expect(await send("x1@shop.test", "y@shop.test", "x2@shop.test")).toEqual([sent("b"), sent("a"), sent("b")])
    expect(second.calls).toEqual([["x1@shop.test", "x2@shop.test"]])
    // It was reached.
    expect(await send("y@shop.test")).toEqual([sent("a")])
  })

  test.each([
    ["deferred", deferred("450 greylisted")],
    ["rejected", rejected("550 nobody")],
    ["unknown", unknownOutcome("no answer")],
  ])("keeps the first one's receipt about the message itself: %s", async (_, receipt) => {
    const [first, second] = [stub("a", () => receipt), stub("b", fine("b"))]
    expect(await chain(first, second).send("x@shop.test")).toEqual([receipt])
    expect(second.calls).toEqual([])
  })

  test("stops at the first transport that may have the message", async () => {
    const stubs: [Stub, Stub, Stub] = [
      stub("a", down("a")),
      stub("b", () => unknownOutcome("lost")),
      stub("c", fine("c")),
    ]
    expect(await chain(...stubs).send("x@shop.test")).toEqual([unknownOutcome("lost")])
    expect(stubs[2].calls).toEqual([])
  })

  test("skips an unreachable one for half a minute, then tries it again", async () => {
    const [first, second] = [stub("a", down("a")), stub("b", fine("b"))]
    const { send, wait } = chain(first, second)
    for (let index = 0; index < 5; index++) await send("x@shop.test")
    expect(first.calls).toHaveLength(1)
    expect(second.calls).toHaveLength(5)
    wait(29_999)
    await send("x@shop.test")
    expect(first.calls).toHaveLength(1)
    wait(1)
    first.answer = fine("a")
    expect(await send("x@shop.test")).toEqual([sent("a")])
    expect(await send("x@shop.test")).toEqual([sent("a")])
  })

  test.each([1, 400])("skips none for long when a clock %p days ahead is corrected", async (days) => {
    const [first, second] = [stub("a", down("a")), stub("b", fine("b"))]
    const { send, wait } = chain(first, second)
    wait(days * 86_400_000)
    await send("x@shop.test")
    wait(-days * 86_400_000)
    await send("x@shop.test")
    expect(first.calls).toHaveLength(2)
  })

  test("lets one call probe it, while the others skip it", async () => {
    const [first, second] = [stub("a", down("a")), stub("b", fine("b"))]
    const { send, wait } = chain(first, second)
    await send("x@shop.test")
    wait(30_000)
    let answer: (receipt: Receipt) => void = () => {}
    first.answer = () => new Promise((resolve) => (answer = resolve))
    const probe = send("probe@shop.test")
    expect(await send("x@shop.test")).toEqual([sent("b")])
    answer(unreachable("a is still down"))
    expect(await probe).toEqual([sent("b")])
    expect(first.calls).toHaveLength(2)
  })

  test.each([
    [
      { retryAt: 3_000, uncounted: true },
      { retryAt: 2_000, uncounted: true },
      { retryAt: 2_000, uncounted: true },
    ],
    [{ retryAt: 3_000, uncounted: true }, { retryAt: 4_000 }, { retryAt: 3_000 }],
    [{ retryAt: 3_000, uncounted: true }, {}, {}],
  ] as const)("waits, when all are unreachable, for the first that may be tried again (%p, %p)", async (a, b, both) => {
    const { send } = chain(
      stub("a", () => ({ ...unreachable("a"), ...a })),
      stub("b", () => ({ ...unreachable("b"), ...b })),
    )
    expect(await send("x@shop.test")).toEqual([{ ...unreachable("a; b"), ...both }])
  })

  test("tries all again when all are unreachable, and reports the reasons of all", async () => {
    const [first, second] = [stub("a", down("a")), stub("b", down("b"))]
    const { send } = chain(first, second)
    for (let index = 0; index < 2; index++) {
      expect(await send("x@shop.test")).toEqual([unreachable("a is down; b is down")])
    }
    expect([first.calls.length, second.calls.length]).toEqual([2, 2])
    first.answer = fine("a")
    expect(await send("x@shop.test")).toEqual([sent("a")])
  })

  test("does not skip a server that is only short of connections", async () => {
    let busy = 0
    const first = stub("a", async () => {
      if (busy >= 2) return unreachable("421 too many connections")
      busy++
      await Promise.resolve()
      busy--
      return sent("a")
    })
    const second = stub("b", fine("b"))
    const { send } = chain(first, second)
    const receipts = await Promise.all(["1", "2", "3"].map((name) => send(`${name}@shop.test`)))
    expect(receipts.flat()).toContainEqual(sent("b"))
    expect(await send("x@shop.test")).toEqual([sent("a")])
  })

  test("tells a receipt early only if no other transport may change it", async () => {
    const { transport } = chain(stub("a", down("a")), stub("b", fine("b")))
    const told: Receipt[] = []
    await transport.send([messageTo("x@shop.test")], never, (_, receipt) => told.push(receipt))
    expect(told).toEqual([sent("b")])
  })

  test("takes back that a message began at one that could not be reached, before the next one begins it", async () => {
    const steps: string[] = []
    const stepsOf = (address: string): Outgoing => ({
      ...messageTo(address),
      begin: async () => void steps.push(`begin ${address}`),
      async retract() {
        await new Promise(setImmediate)
        steps.push(`retract ${address}`)
      },
    })
    const first = stub("a", async (message) => {
      await message.begin()
      return message.to.address.startsWith("x") ? unreachable("the server has stopped") : sent("a")
    })
    const second = stub("b", async (message) => {
      await message.begin()
      return sent("b")
    })
    await chain(first, second).transport.send([stepsOf("x@shop.test"), stepsOf("y@shop.test")], never)
    expect(steps).toEqual(["begin x@shop.test", "begin y@shop.test", "retract x@shop.test", "begin x@shop.test"])
  })

  test("does not skip a server that another call has reached meanwhile", async () => {
    const late = Promise.withResolvers<Receipt>()
    const first = stub("a", ({ to }) => (to.address.startsWith("late") ? late.promise : sent("a")))
    const { send } = chain(first, stub("b", fine("b")))
    const sending = send("late@shop.test")
    expect(await send("x@shop.test")).toEqual([sent("a")])
    late.resolve(unreachable("421 too many connections"))
    expect(await sending).toEqual([sent("b")])
    expect(await send("x@shop.test")).toEqual([sent("a")])
  })

  test("begins messages before one that does not do so itself, and does not give it those that may not leave now", async () => {
    const second = { ...stub("b", fine("b")), repeatable: true as const }
    const { transport } = chain(stub("a", down("a")), second)
    const withheldOne = { ...messageTo("x@shop.test"), begin: () => Promise.reject(new Error("The claim is gone.")) }
    const receipts = await transport.send([withheldOne, messageTo("y@shop.test")], never)
    expect(receipts).toEqual([withheld("The claim is gone."), sent("b")])
    expect(second.calls).toEqual([["y@shop.test"]])
  })

  test("respects the limits of the next transport: batch size and concurrency", async () => {
    let [now, most] = [0, 0]
    const second = stub(
      "b",
      async () => {
        most = Math.max(most, ++now)
        await Promise.resolve()
        now--
        return sent("b")
      },
      { concurrency: 2, batch: 1 },
    )
    const receipts = await chain(stub("a", down("a")), second).send(
      "1@shop.test",
      "2@shop.test",
      "3@shop.test",
      "4@shop.test",
    )
    expect(receipts).toEqual([sent("b"), sent("b"), sent("b"), sent("b")])
    expect(second.calls).toHaveLength(4)
    expect(most).toBe(2)
  })

  test("does not try the next one when the signal aborts", async () => {
    const stop = new AbortController()
    const first = stub("a", () => {
      stop.abort()
      return unreachable("a is down")
    })
    const second = stub("b", fine("b"))
    const { transport } = chain(first, second)
    expect(await transport.send([messageTo("x@shop.test")], stop.signal)).toEqual([unreachable("a is down")])
    expect((await transport.send([messageTo("x@shop.test")], stop.signal))[0]?.outcome).toBe("deferred")
    expect(second.calls).toEqual([])
  })

  test("gives each of two equal messages its own receipt", async () => {
    const message = messageTo("x@shop.test")
    let turn = 0
    const first = stub("a", () => (turn++ === 0 ? sent("a") : unreachable("a is down")))
    const { transport } = chain(first, stub("b", fine("b")))
    expect(await transport.send([message, message], never)).toEqual([sent("a"), sent("b")])
  })

  test("closes all", async () => {
    const [first, second] = [stub("a", fine("a")), stub("b", fine("b"))]
    await chain(first, second).transport.close()
    expect([first.closed, second.closed]).toEqual([1, 1])
  })
})
