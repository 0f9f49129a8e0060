import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Browser, cookieOf, password, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { startCampaign } from "../harness/campaigns.ts"
import { send } from "../harness/mails.ts"
import { until } from "../harness/store.ts"

let it: TestApp
let owner: Browser
let bo: Browser & { id: string }

beforeAll(async () => {
  it = await startTestApp()
  owner = await signUp(it, "owner@acme.test")
  bo = await signUp(it, "bo@example.com")
})
afterAll(() => it.close())

/** An open stream of the project's mail, with the events received so far. */
async function listen(browser: Browser) {
  const request = new Request(`http://localhost/app/live/${it.project.id}`, { headers: { Cookie: cookieOf(browser) } })
  const response = await it.app.fetch(request, "127.0.0.1")
  expect(response.headers.get("content-type")).toBe("text/event-stream")
  const live = { text: "", isOver: false }
  void (async () => {
    for await (const chunk of response.body ?? []) live.text += new TextDecoder().decode(chunk)
    live.isOver = true
  })()
  return live
}

/** Lets the work go on that only the event loop delays. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}
/**
 * Advances the clock by a second, and waits until the stream has checked its session, which may wait for the disk: then
 * it is over, or sleeps for the next second.
 */
async function secondLater(live: { readonly isOver: boolean }): Promise<void> {
  await it.clock.advance(1_000)
  await turns()
  await until(() => live.isOver || it.clock.sleepers > 0)
}

describe("A live stream", () => {
  test("continues while its session exists", async () => {
    const live = await listen(owner)
    for (let second = 0; second < 3; second++) await secondLater(live)
    await send(it, "live@example.com")
    await until(() => live.text.includes("event: email") && live.text.includes("event: activity"))
    await turns()
    expect(live.isOver).toBe(false)
    expect(live.text.match(/^event: activity$/gm)).toHaveLength(1)
    for (let second = 0; second < 15; second++) await secondLater(live)
    await until(() => live.text.includes(": ping"))
    await owner.api("GET /auth/logout")
    await secondLater(live)
    await until(() => live.isOver)
  })

  test("tells of new activity of its project at once, then every two seconds at the most", async () => {
    const browser = await signIn(it, "owner@acme.test")
    const live = await listen(browser)
    const told = () => live.text.match(/^event: activity$/gm)?.length ?? 0
    /** Often enough, and not more often. */
    const isTold = async (times: number) => {
      await until(() => told() >= times)
      await turns()
      expect(told()).toBe(times)
    }
    const track = async (projectId: string) => {
      await it.app.events.add(projectId, { name: "tick" })
      await turns()
    }
    const other = await it.app.projects.create("Other")
    await track(other.id)
    await isTold(0)
    for (let time = 0; time < 3; time++) await track(it.project.id)
    await isTold(1)
    await secondLater(live)
    await isTold(1)
    await secondLater(live)
    await isTold(2)
    for (let second = 0; second < 4; second++) await secondLater(live)
    await isTold(2)
    await track(it.project.id)
    await isTold(3)
    await browser.api("GET /auth/logout")
    await secondLater(live)
    await until(() => live.isOver)
  })

  test("tells of the mails that go with a contact, by a request and in bulk", async () => {
    const browser = await signIn(it, "owner@acme.test")
    const mails = await send(it, "one@example.com", "two@example.com", "stays@example.com")
    const contactOf = async (mail = "") => (await it.api(`GET /emails/${mail}`)).body.contactId
    const [one, two] = [await contactOf(mails[0]), await contactOf(mails[1])]
    const live = await listen(browser)
    await it.api(`DELETE /contacts/${one}`)
    await it.api("POST /contacts/bulk-delete", { body: { contactIds: [two] } })
    await it.settle()
    const gone = (): string[] => live.text.match(/^data: .*"deleted".*$/gm) ?? []
    await until(() => gone().length >= 2)
    expect(gone()).toEqual(mails.slice(0, 2).map((id) => `data: {"id":"${id}","change":"deleted"}`))
    await browser.api("GET /auth/logout")
    await secondLater(live)
    await until(() => live.isOver)
  })

  test("tells that the mails of a deleted campaign are messages of their own", async () => {
    const browser = await signIn(it, "owner@acme.test")
    await it.api("POST /contacts", { body: { email: "fan@example.com" } })
    const id = await startCampaign(it)
    await it.settle()
    const live = await listen(browser)
    expect((await it.api(`DELETE /campaigns/${id}`)).status).toBe(200)
    await it.settle()
    await until(() => live.text.includes("event: email"))
    expect(live.text.match(/^data: \{.*$/gm)).toEqual(['data: {"id":"","change":"marked"}'])
    await browser.api("GET /auth/logout")
    await secondLater(live)
    await until(() => live.isOver)
  })

  const add = () => owner.api(`POST /projects/${it.project.id}/members`, { body: { email: "bo@example.com" } })
  test.each([
    ["the session is signed out", async (browser: Browser) => browser.api("GET /auth/logout")],
    [
      "the session is ended elsewhere",
      async (browser: Browser) => {
        const { data } = (await browser.api("GET /auth/sessions")).body
        const { id } = data.find((one: { current: boolean }) => one.current)
        await (await signIn(it, "bo@example.com")).api(`DELETE /auth/sessions/${id}`)
      },
    ],
    [
      "the password changes in another session",
      async () => {
        const other = await signIn(it, "bo@example.com")
        await other.api("POST /auth/change-password", {
          body: { currentPassword: password, newPassword: "another fine staple" },
        })
        await other.api("POST /auth/change-password", {
          body: { currentPassword: "another fine staple", newPassword: password },
        })
      },
    ],
    ["the member is removed", () => owner.api(`DELETE /projects/${it.project.id}/members/${bo.id}`)],
  ])("ends within a second when %s", async (_, end) => {
    owner = await signIn(it, "owner@acme.test")
    await add()
    const browser = await signIn(it, "bo@example.com")
    const live = await listen(browser)
    await secondLater(live)
    expect(live.isOver).toBe(false)
    await end(browser)
    await secondLater(live)
    await until(() => live.isOver)
  })

  test("ends within a second when the server stops, which would wait for its readers otherwise", async () => {
    const own = await startTestApp()
    const browser = await signUp(own, "owner@acme.test")
    const { url } = await own.app.start()
    const response = await fetch(`${url}/app/live/${own.project.id}`, { headers: { Cookie: cookieOf(browser) } })
    const read = response.text()
    const stopped = own.stop()
    await own.clock.advance(1_000)
    expect(await read).toBe(": open\n\n")
    await stopped
    await own.close()
  })

  test("ends within a second when the session expires", async () => {
    const browser = await signIn(it, "owner@acme.test")
    await it.clock.advance(7 * 86_400_000 - 2_000)
    const live = await listen(browser)
    await secondLater(live)
    expect(live.isOver).toBe(false)
    await secondLater(live)
    await until(() => live.isOver)
  })
})
