import { expect, test } from "bun:test"
import { createIdempotency } from "../../src/http/idempotency.ts"
import { hour } from "../../src/kernel/clock.ts"
import type { DomainError } from "../../src/kernel/errors.ts"
import { addNote, noteNames, openTestStore, scratch, type TestStore } from "../harness/store.ts"

const folder = scratch()
const project = "p"

/** The idempotency of a process that works on this store. */
const processOn = (store: TestStore) => createIdempotency({ store, clock: store.clock, keepMs: hour })

/** The effects of a request, and its key in the same unit. */
const act = (store: TestStore, claim: Awaited<ReturnType<ReturnType<typeof processOn>["claim"]>>, name: string) =>
  store.write(project, async (unit) => {
    await addNote(unit, name)
    await claim?.commit(unit)
  })

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no refusal",
    (cause: DomainError) => [cause.code, cause.extras.details?.originalStatusCode],
  )

test("of two processes with the same key one has its effects, the other none and a 409", async () => {
  const store = await openTestStore(folder())
  const [one, two] = [processOn(store), processOn(store)]
  const first = await one.claim(project, "k", "POST /v1/track")
  const second = await two.claim(project, "k", "POST /v1/track")
  const ended = await Promise.all([
    refusal(act(store, first, "of the first")),
    refusal(act(store, second, "of the second")),
  ])
  expect(ended).toEqual(["no refusal", ["IDEMPOTENCY_KEY_REUSED", 200]])
  expect(await noteNames(store.read)).toEqual(["of the first"])
  await store.close()
})

test("the refused one leaves the key as it is, also when it then fails", async () => {
  const store = await openTestStore(folder())
  const [one, two] = [processOn(store), processOn(store)]
  const first = await one.claim(project, "k", "POST /v1/track")
  const second = await two.claim(project, "k", "POST /v1/send")
  await act(store, first, "a")
  await second?.fail(500, { keep: true })
  expect(await refusal(two.claim(project, "k", "POST /v1/send"))).toEqual(["IDEMPOTENCY_KEY_REUSED", 200])
  await store.close()
})

test("the claims of a dead process are free for the next", async () => {
  const store = await openTestStore(folder())
  await processOn(store).claim(project, "k", "POST /v1/track")
  const next = processOn(store)
  await act(store, await next.claim(project, "k", "POST /v1/track"), "a")
  expect(await noteNames(store.read)).toEqual(["a"])
  await store.close()
})

test("an expired key gives way to one of two new claims", async () => {
  const store = await openTestStore(folder())
  await act(store, await processOn(store).claim(project, "k", "POST /v1/track"), "old")
  await store.clock.advance(hour)
  const [one, two] = [processOn(store), processOn(store)]
  const claims = [await one.claim(project, "k", "POST /v1/track"), await two.claim(project, "k", "POST /v1/track")]
  const ended = await Promise.all(claims.map((claim, at) => refusal(act(store, claim, `new ${at}`))))
  expect(ended).toEqual(["no refusal", ["IDEMPOTENCY_KEY_REUSED", 200]])
  expect(await noteNames(store.read)).toEqual(["new 0", "old"])
  await store.close()
})

test("expired keys are deleted, all of them and no others", async () => {
  const store = await openTestStore(folder())
  const keys = processOn(store)
  for (let at = 0; at < 5; at++) await act(store, await keys.claim(project, `old ${at}`, "POST /v1/track"), `o${at}`)
  await store.clock.advance(hour)
  await act(store, await keys.claim(project, "new", "POST /v1/track"), "n")
  await keys.prune()
  expect(await refusal(keys.claim(project, "new", "POST /v1/track"))).toEqual(["IDEMPOTENCY_KEY_REUSED", 200])
  for (let at = 0; at < 5; at++) expect(await keys.claim(project, `old ${at}`, "POST /v1/track")).toBeDefined()
  await store.close()
})
