import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

test.each([
  ["en-US", "Jan 31, 2026"],
  ["en-GB", "31 Jan 2026"],
  ["de-DE", "31. Jan. 2026"],
])("dates have the format of a browser in %s", (locale, written) =>
  visit({ path: null, locale }, async ({ page, server }) => {
    await callsTo(server).post("/contacts", { email: "ada@example.com", data: { since: "2026-01-31" } })
    await page.goto(`${server.url}/app/contacts`)
    const cell = page.getByRole("row", { name: /ada@example.com/ }).getByText(written)
    await cell.waitFor()
    expect(await page.locator("html").getAttribute("lang")).toBe("en")
  }),
)

test.each([
  ["23 hours", "2026-09-06", "2026-09-06T04:00:00.000Z", "2026-09-07T02:59:59.999Z"],
  ["25 hours", "2026-04-04", "2026-04-04T03:00:00.000Z", "2026-04-05T03:59:59.999Z"],
])("a day of %s that is changed at midnight is listed whole", (_, day, startDate, endDate) =>
  visit({ path: null, timezoneId: "America/Santiago" }, async ({ page, server }) => {
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === "/activity")
    await page.goto(`${server.url}/app/activity?from=${day}&to=${day}`)
    const { searchParams } = new URL((await asked).url())
    expect([searchParams.get("startDate"), searchParams.get("endDate")]).toEqual([startDate, endDate])
  }),
)

test("the days of events begin at their own midnight, also on a day without one", () =>
  visit({ path: null, alone: true, timezoneId: "America/Santiago" }, async ({ page, server }) => {
    await callsTo(server).post("/events/track", { event: "purchase", email: "ada@example.com" })
    const days: (string | null)[] = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === "/events/stats" && searchParams.has("startDate")) days.push(searchParams.get("startDate"))
    })
    await page.clock.setFixedTime("2026-09-06T15:00:00Z")
    await page.goto(`${server.url}/app/events/names`)
    await page.getByRole("img", { name: /in 14 days/ }).waitFor()
    expect(days.toSorted().slice(-3)).toEqual([
      "2026-09-04T04:00:00.000Z",
      "2026-09-05T04:00:00.000Z",
      "2026-09-06T04:00:00.000Z",
    ])
  }))

test("a chart says that its days are those of UTC, which a mail of today may be another one in", () =>
  visit(
    { path: null, timezoneId: "Pacific/Apia", locale: "en-US", mails: [{ subject: "Hi" }] },
    async ({ page, server }) => {
      await page.goto(`${server.url}/app/analytics`)
      const chart = page.getByRole("region", { name: "Against the days before" })
      await chart.getByText("Days are those of UTC.").waitFor()
      await chart.getByRole("button", { name: "As a table" }).click()
      const [newest] = await chart.locator("tbody").getByRole("row").allInnerTexts()
      const today = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" }).format()
      expect(newest).toStartWith(today)
      await chart.getByRole("columnheader", { name: "Day (UTC)" }).waitFor()
    },
  ))

test("a campaign that is planned in an hour that comes twice keeps its time when it is confirmed", () =>
  visit({ path: null, timezoneId: "Europe/Berlin" }, async ({ page, server }) => {
    const { get, post } = callsTo(server)
    const content = { name: "June", subject: "News", body: "<p>Hi</p>", from: "hello@shop.test", audienceType: "ALL" }
    const { data } = await post("/campaigns", content)
    const confirm = async (scheduledFor: string, wall: string): Promise<string> => {
      await post(`/campaigns/${data.id}/send`, { scheduledFor })
      await page.goto(`${server.url}/app/campaigns/${data.id}`)
      await page.getByRole("button", { name: "Reschedule" }).click()
      const dialog = page.getByRole("dialog")
      expect(await dialog.getByLabel("Time", { exact: true }).inputValue()).toBe(wall)
      await dialog.getByRole("button", { name: "Schedule" }).click()
      await dialog.waitFor({ state: "detached" })
      return (await get(`/campaigns/${data.id}`)).data.scheduledFor
    }
    for (const time of ["2044-10-30T00:30:00.000Z", "2044-10-30T01:30:00.000Z"])
      expect(await confirm(time, "2044-10-30T02:30")).toBe(time)
  }))
