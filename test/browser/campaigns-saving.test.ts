import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../harness/store.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"
import { hasFocus } from "./templates-seed.ts"

withBrowser()

const filter = (value: string) => ({ field: "email", operator: "contains", value })
const audience = (value: string) => ({ logic: "AND", groups: [{ filters: [filter(value)] }] })
const fields = {
  name: "June news",
  subject: "Before",
  body: "<p>Hello</p>",
  from: "hello@shop.test",
  audienceType: "FILTERED",
  audienceCondition: audience("north"),
}

interface Tools {
  get: ReturnType<typeof callsTo>["get"]
  post: ReturnType<typeof callsTo>["post"]
  /** The stored campaign. */
  stored(): Promise<Record<string, unknown>>
  /** Saves another subject and another audience, like another tab. */
  change(): Promise<void>
  /** Sends it, now or at a time, like another tab. */
  send(scheduledFor?: string): Promise<unknown>
  /** Deletes it, like another tab. */
  remove(): Promise<unknown>
}

/** The composer of a new campaign. */
const withCampaign = (use: (page: Page, tools: Tools) => Promise<void>, allowed?: RegExp) =>
  visit({ path: null, ...(allowed ? { allowed } : {}) }, async ({ page, server }) => {
    const { get, post, remove } = callsTo(server)
    const { id } = (await post("/campaigns", fields)).data
    await page.goto(`${server.url}/app/campaigns/${id}`)
    await page.getByLabel("Subject").waitFor()
    await use(page, {
      get,
      post,
      stored: async () => (await get(`/campaigns/${id}`)).data,
      send: (scheduledFor) => post(`/campaigns/${id}/send`, { scheduledFor }),
      remove: () => remove(`/campaigns/${id}`),
      async change() {
        const answer = await fetch(`${server.url}/campaigns/${id}`, {
          method: "PUT",
          headers: { Authorization: `Bearer ${server.projects[0]?.secret}`, "Content-Type": "application/json" },
          body: JSON.stringify({ ...fields, subject: "There", audienceCondition: audience("south") }),
        })
        expect(answer.status).toBe(200)
      },
    })
  })

const asked = (page: Page) => page.getByRole("dialog", { name: "Changed elsewhere meanwhile" })

test("changes saved elsewhere are not overwritten or sent without asking", () =>
  withCampaign(async (page, { stored, change }) => {
    await page.getByLabel("Name", { exact: true }).fill("Here")
    await change()
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await asked(page).getByRole("button", { name: "Keep editing" }).click()
    await asked(page).waitFor({ state: "detached" })
    expect(await page.getByRole("dialog").count()).toBe(0)
    expect(await stored()).toMatchObject({ name: "June news", subject: "There" })

    // The keys work again when the dialog is gone from the page, which its animation delays.
    await until(async () => {
      await page.keyboard.press("Control+s")
      return asked(page).isVisible()
    })
    await asked(page).getByRole("button", { name: "Overwrite" }).click()
    await page.getByText("Saved just now").waitFor()
    expect(await stored()).toMatchObject({
      name: "Here",
      subject: "Before",
      audienceCondition: { groups: [{ filters: [filter("north")] }] },
    })
  }))

test("a campaign that was changed elsewhere is sent only once its present content and audience were shown", () =>
  withCampaign(async (page, { get, post, change }) => {
    await post("/contacts", { email: "ada@north.test" })
    await post("/contacts", { email: "bo@south.test" })
    await post("/contacts", { email: "cy@south.test" })
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Send this campaign" })
    await dialog.getByText("Before", { exact: true }).waitFor()
    await change()
    await dialog.getByRole("button", { name: "Send to 1" }).click()
    await dialog.getByRole("alert").getByText("It was changed in another place meanwhile").waitFor()
    await dialog.getByText("There", { exact: true }).waitFor()
    expect((await get("/emails")).data).toEqual([])
    await dialog.getByRole("button", { name: "Send to 2" }).click()
    await page.getByText("It is on its way.").waitFor()
    await until(async () => (await get("/emails")).data.length === 2)
  }))

test("a campaign that a colleague has scheduled meanwhile is sent only once its time was told", () =>
  withCampaign(async (page, { post, stored, send }) => {
    await post("/contacts", { email: "ada@north.test" })
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Send this campaign" })
    const now = dialog.getByRole("button", { name: "Send to 1" })
    await now.waitFor()
    await send("2099-01-02T03:04:00Z")
    await now.click()
    const told = dialog.getByRole("alert").filter({ hasText: "It was scheduled in another place meanwhile" })
    await told.filter({ hasText: "2 Jan 2099" }).waitFor()
    expect((await stored()).status).toBe("SCHEDULED")
    await now.click()
    await page.getByText("It is on its way.").waitFor()
  }))

test("sending again after the answer was lost says what has become of the campaign", () =>
  withCampaign(async (page, { post, stored }) => {
    await post("/contacts", { email: "ada@north.test" })
    const loseAnswer = () =>
      page.route(
        "**/send",
        async (route) => {
          await route.fetch()
          await route.abort()
        },
        { times: 1 },
      )
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Send this campaign" })
    await dialog.getByText("Later").click()
    const schedule = dialog.getByRole("button", { name: "Schedule" })
    await loseAnswer()
    await schedule.click()
    await dialog.getByText("The server does not answer.").waitFor()
    await schedule.click()
    await page.getByText(/^It goes out on /).waitFor()
    expect((await stored()).status).toBe("SCHEDULED")

    await page.getByRole("button", { name: "Reschedule" }).click()
    const again = page.getByRole("dialog", { name: "Send at another time" })
    await again.getByText("Now", { exact: true }).click()
    await loseAnswer()
    await again.getByRole("button", { name: "Send to 1" }).click()
    await again.getByText("The server does not answer.").waitFor()
    await again.getByRole("button", { name: "Send to 1" }).click()
    await page.getByText("This campaign was sent already.").waitFor()
    await page.getByRole("heading", { name: "June news" }).waitFor()
    expect(await page.getByRole("dialog").count()).toBe(0)
  }, /ERR_FAILED/))

test("changes saved elsewhere can be loaded instead, with their audience", () =>
  withCampaign(async (page, { change }) => {
    await page.getByText("Audience", { exact: true }).click()
    await page.getByRole("textbox", { name: /value/i }).fill("west")
    await page.getByText("Not saved").waitFor()
    await change()
    await page.keyboard.press("Control+s")
    await asked(page).getByRole("button", { name: "Load it" }).click()
    await page.getByText("Saved just now").waitFor()
    expect(await page.getByRole("textbox", { name: /value/i }).inputValue()).toBe("south")
    await page.getByText("Content", { exact: true }).click()
    expect(await page.getByLabel("Subject").inputValue()).toBe("There")
  }))

test("duplicating with unsaved changes asks first", () =>
  withCampaign(async (page, { get }) => {
    const leave = page.getByRole("dialog", { name: "Leave without saving?" })
    await page.getByLabel("Subject").fill("Changed")
    for (const answer of ["Stay", "Leave"]) {
      expect((await get("/campaigns")).total).toBe(1)
      await page.getByRole("button", { name: "Campaign actions" }).click()
      await page.getByRole("menuitem", { name: "Duplicate" }).click()
      await leave.getByRole("button", { name: answer }).click()
      await leave.waitFor({ state: "detached" })
    }
    await page.waitForFunction(() => document.title === "June news (Copy) · Mailstead")
    expect((await get("/campaigns")).total).toBe(2)
  }))

test("the preview has the footer of marketing mail", () =>
  withCampaign(async (page) => {
    await page.getByRole("button", { name: /^Type: / }).click()
    await page.getByRole("menuitemradio", { name: /Marketing/ }).click()
    await page.frameLocator("iframe[title='Mail preview']").getByRole("link", { name: "Unsubscribe" }).waitFor()
  }))

test("going back from a campaign focuses its row, and a copy has the cursor in its name", () =>
  withCampaign(async (page) => {
    await page.getByRole("button", { name: "All campaigns" }).click()
    await hasFocus(page, "June news")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Campaign actions" }).click()
    await page.getByRole("menuitem", { name: "Duplicate" }).click()
    await page.waitForFunction(() => document.title === "June news (Copy) · Mailstead")
    await page.getByRole("menu").waitFor({ state: "detached" })
    await hasFocus(page, "Name")
  }))

test("a campaign that was sent elsewhere meanwhile can be loaded, and is not offered to be overwritten", () =>
  withCampaign(async (page, { send }) => {
    await page.getByLabel("Name", { exact: true }).fill("Here")
    await send()
    await page.keyboard.press("Control+s")
    await asked(page).getByText("this campaign was sent in another place").waitFor()
    expect(await asked(page).getByRole("button", { name: "Overwrite" }).count()).toBe(0)
    await asked(page).getByRole("button", { name: "Load it" }).click()
    await page.getByRole("heading", { name: "June news" }).waitFor()
  }))

test("a draft of a deleted campaign is saved as a new one, and sent from there", () =>
  withCampaign(async (page, { get, post, remove }) => {
    await post("/contacts", { email: "ada@north.test" })
    await page.getByLabel("Subject").fill("Written for an hour")
    await remove()
    await page.keyboard.press("Control+s")
    await page.getByRole("status").filter({ hasText: "Deleted elsewhere" }).waitFor()
    expect(await page.getByLabel("Subject").inputValue()).toBe("Written for an hour")
    await page.getByRole("button", { name: "Save as a new one" }).click()
    await page.getByText("Saved just now").waitFor()
    const { data } = await get("/campaigns")
    expect(data).toMatchObject([
      { name: "June news", subject: "Written for an hour", audienceCondition: audience("north"), status: "DRAFT" },
    ])
    await page.waitForURL((url) => url.pathname.endsWith(data[0].id))
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Send to 1" }).click()
    await page.getByText("It is on its way.").waitFor()
  }, /404/))

test("a campaign that was deleted while its dialog was open can be saved as a new one, though nothing was changed", () =>
  withCampaign(async (page, { get, post, remove }) => {
    await post("/contacts", { email: "ada@north.test" })
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Send to 1" }).waitFor()
    await remove()
    await dialog.getByRole("button", { name: "Send to 1" }).click()
    await dialog.getByText("Campaign not found.").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Save as a new one" }).click()
    await page.getByText("Saved just now").waitFor()
    expect((await get("/campaigns")).data).toMatchObject([{ name: "June news", subject: "Before", status: "DRAFT" }])
  }, /404/))
