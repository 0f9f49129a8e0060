import { expect, test } from "bun:test"
import { createLog } from "../../src/kernel/log.ts"
import { type Outgoing, type Receipt, sent, type Transport, unknownOutcome } from "../../src/mail/transport.ts"
import { threaded } from "../../src/mail/transports/threaded.ts"
import { messageTo } from "../contracts/messages.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

const idleMs = 30_000

/** A transport whose thread fails as soon as it starts, because it cannot open this URL. */
function withFailingThread() {
  const local: Outgoing[] = []
  const failures: string[] = []
  let receipts: Receipt[] | undefined
  const transport: Transport = {
    name: "local",
    limits: { concurrency: 8, batch: 1 },
    async send(messages) {
      local.push(...messages)
      return receipts ?? messages.map(() => sent(null))
    },
    async close() {},
  }
  const clock = createFakeClock()
  const log = createLog((_, message) => failures.push(message))
  const made = threaded("smtp://mail.test?pool=0", transport, { log, clock }, { leastCalls: 1, idleMs })
  return {
    made,
    clock,
    local,
    failures,
    takesLazy: made.takesLazy,
    close: () => made.close(),
    /** What the local transport gives from now on. */
    answers(given: Receipt[]) {
      receipts = given
    },
    send: (message = messageTo("ada@example.com", { stream: "bulk", bulk: true })) =>
      made.send([message], new AbortController().signal),
  }
}

test("Mail leaves without a thread when that has failed", async () => {
  const { local, failures, close, send } = withFailingThread()
  expect((await send())[0]?.outcome).toBe("deferred")
  expect(await send()).toEqual([sent(null)])
  expect(await send()).toEqual([sent(null)])
  expect(local).toHaveLength(2)
  expect(failures).toHaveLength(1)
  await close()
})

test("Mail leaves without a thread also when that has failed before a time without mail", async () => {
  const { clock, local, failures, close, send } = withFailingThread()
  expect((await send())[0]?.outcome).toBe("deferred")
  await clock.advance(idleMs)
  expect(await send()).toEqual([sent(null)])
  expect(local).toHaveLength(1)
  expect(failures).toHaveLength(1)
  await close()
})

test("Messages that are not composed yet are composed here when there is no thread", async () => {
  const { local, close, send } = withFailingThread()
  await send()
  const [made, lost] = [messageTo("bob@example.com"), undefined]
  const lazyFrom = (message: Outgoing | undefined) => ({
    ...messageTo("bob@example.com"),
    input: {},
    compose: async () => message,
  })
  expect(await send(lazyFrom(made))).toEqual([sent(null)])
  expect(local).toEqual([made])
  expect((await send(lazyFrom(lost)))[0]?.outcome).toBe("deferred")
  expect(local).toEqual([made])
  await close()
})

test("Messages that were composed here have the receipts of their own", async () => {
  const { made, close, send, answers } = withFailingThread()
  await send()
  const lazy = (message: Outgoing | undefined) => ({
    ...messageTo("bob@example.com"),
    input: {},
    compose: async () => message,
  })
  answers([sent("first"), sent("second")])
  const messages = [lazy(messageTo("bob@example.com")), lazy(undefined), lazy(messageTo("eve@example.com"))]
  const receipts = await made.send(messages, new AbortController().signal)
  expect(receipts).toEqual([sent("first"), expect.objectContaining({ outcome: "deferred" }), sent("second")])
  await close()
})

test("A message that was composed here and has no receipt may have left", async () => {
  const { close, send, answers } = withFailingThread()
  await send()
  const lazy = { ...messageTo("bob@example.com"), input: {}, compose: async () => messageTo("bob@example.com") }
  answers([])
  expect(await send(lazy)).toEqual([unknownOutcome("no receipt")])
  await close()
})

test("A transport that does not tell when each message begins makes none, for its links could be stored too late", async () => {
  const { takesLazy, close } = withFailingThread()
  expect(takesLazy).toBeUndefined()
  await close()
})
