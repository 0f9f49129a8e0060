import { afterAll, beforeAll, expect, test } from "bun:test"
import { createMessageParser, type MessageParser } from "../../src/inbound/parse-thread.ts"
import { malformed } from "../../src/kernel/errors.ts"
import { createTexts } from "../../src/modules/inbox/text.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { refuseChanges } from "../harness/refused-changes.ts"
import { receiveInSandbox } from "../harness/sandbox-intake.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ mode: "sandbox" })
})
afterAll(() => it.close())

const word = (n: number) => `word${n}word`
const bodyLine = `${"An ordinary line of text. ".repeat(3)}\r\n`

/** Takes messages by way of the sandbox's receiver; resolves to their ids. */
async function receive(count: number, size: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const text = `From: ann@crew.test\r\nSubject: Many\r\n\r\n${word(n)} ${bodyLine.repeat(size / bodyLine.length)}`
    ids.push(await receiveInSandbox(it, text))
  }
  return ids
}
const found = async (search: string): Promise<string[]> =>
  (await it.api(`GET /inbox?search=${search}`)).body.data.map(({ id }: { id: string }) => id)

test("the texts of many messages are read by one job, off the event loop, and found", async () => {
  const ids = await receive(20, 10_000)
  const runs: unknown[] = []
  const end = it.app.jobs.watchRuns(({ kind, payload }) => kind === "inbox.index" && runs.push(payload))
  await it.settle()
  end()
  expect(runs).toEqual([{ projectId: it.project.id, emailIds: ids }])
  for (const n of [0, 7, 19]) expect(await found(word(n))).toEqual([ids[n] as string])
})

test("when messages take too long together, each is read by itself", async () => {
  const ids = await receive(3, 200)
  const real = createMessageParser()
  const parsed: number[] = []
  const parser: MessageParser = {
    readTexts: () => Promise.reject(malformed("Too slow.")),
    parse: (raw, projectId) => {
      parsed.push(raw.byteLength)
      return real.parse(raw, projectId)
    },
  }
  const [job] = createTexts(it.app, parser).handlers
  const signal = new AbortController().signal
  expect(await job?.run({ projectId: it.project.id, emailIds: ids }, signal)).toEqual({ is: "done" })
  expect(parsed).toHaveLength(3)
  expect(await found(word(2))).toContain(ids[2] as string)
})

test("texts that could not be stored for half a day are found after that", async () => {
  const [id = ""] = await receive(1, 200)
  const newest = async () => (await it.api("GET /inbox?limit=1")).body.data[0]
  const heal = await refuseChanges(it.app.store, { change: "INSERT", table: "inbox_text" })
  for (let hours = 0; hours < 12; hours++) await it.advance({ hours: 1 })
  expect(await newest()).toMatchObject({ id, snippet: null })
  await heal()
  await it.advance({ hours: 2 })
  expect((await newest()).snippet).toStartWith(word(0))
})

test("a job that an earlier version stored for one message is run", async () => {
  const [id = ""] = await receive(1, 200)
  const [job] = createTexts(it.app, createMessageParser()).handlers
  await job?.run({ projectId: it.project.id, emailId: id }, new AbortController().signal)
  expect(await found(word(0))).toContain(id)
})

test("a message that is gone when its text is read is passed over", async () => {
  const [job] = createTexts(it.app, createMessageParser()).handlers
  const payload = { projectId: it.project.id, emailIds: [it.ids.next()] }
  expect(await job?.run(payload, new AbortController().signal)).toEqual({ is: "done" })
})
