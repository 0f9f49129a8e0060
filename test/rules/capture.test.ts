import { expect, test } from "bun:test"
import type { Outgoing } from "../../src/mail/transport.ts"
import { capture } from "../../src/modules/sandbox/index.ts"
import type { Store } from "../../src/store/store.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" })
const envelope = { from: "a@acme.test", to: "ada@example.com" }
const message = { id: "m1", envelope, bytes: async () => new Uint8Array() } as Partial<Outgoing> as Outgoing

/** Captures a message in a store that fails so many times, and notes when it was tried, in ms. */
async function capturing(failures: number, cause: Error) {
  const clock = createFakeClock()
  const started = clock.now()
  const tries: number[] = []
  const write = async () => {
    tries.push(clock.now() - started)
    if (tries.length <= failures) throw cause
  }
  const abort = new AbortController()
  const store = { write } as unknown as Store
  const result = capture({ store, realClock: clock })(message, abort.signal).catch(({ message }: Error) => message)
  // It sleeps once its first try has failed.
  await new Promise(setImmediate)
  return { clock, tries, abort, result }
}

test("a message is captured within a second of the moment when the store can be written again", async () => {
  const { clock, tries, result } = await capturing(3, full)
  await clock.advance(10_000)
  expect(await result).toEqual({ outcome: "sent", providerId: null })
  expect(tries).toEqual([0, 1_000, 2_000, 3_000])
})

test("a message is not captured when the server stops meanwhile, when the store fails for long, or by its own fault", async () => {
  const stopped = await capturing(Number.POSITIVE_INFINITY, full)
  stopped.abort.abort()
  expect(await stopped.result).toBe(full.message)

  const lasting = await capturing(Number.POSITIVE_INFINITY, full)
  await lasting.clock.advance(600_000)
  expect(await lasting.result).toBe(full.message)
  expect(lasting.tries.at(-1)).toBe(300_000)

  const other = await capturing(1, new Error("constraint"))
  expect(await other.result).toBe("constraint")
})
