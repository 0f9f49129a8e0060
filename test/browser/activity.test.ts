import { expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import type { Page } from "playwright-core"
import { domainTable } from "../../src/modules/domains/table.ts"
import { eventTable } from "../../src/modules/events/index.ts"
import { until } from "../harness/store.ts"
import { furnish } from "./activity-seed.ts"
import { faults } from "./axe.ts"
import { visitServer, withBrowser } from "./harness.ts"

withBrowser()

const rows = (page: Page) => page.locator("[data-activity]")
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })

test("what happened is in one list by day, filtered in the URL, live, and each row opens its record", () =>
  visitServer({ path: "/app/sign-up" }, async ({ page, server }) => {
    const { post, mails, project } = await furnish(server, page, "/activity")
    await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor()
    await row(page, "Opened").waitFor()
    await page.getByRole("region", { name: "Today" }).waitFor()
    expect(await row(page, "Bounced").textContent()).toContain("cy@two.test")
    expect(await row(page, "Campaign scheduled").textContent()).toContain("June")

    await post("/events/track", { email: "ada@one.test", event: "login" })
    await row(page, "login").waitFor()

    await page.getByRole("button", { name: "All types" }).click()
    await page.getByRole("checkbox", { name: "Bounced" }).check()
    await page.keyboard.press("Escape")
    await row(page, "login").waitFor({ state: "detached" })
    expect(new URL(page.url()).search).toBe("?types=email.bounced")
    expect(await rows(page).count()).toBe(1)
    await row(page, "Bounced").getByRole("link").click()
    await page.waitForURL(`**/inbox/${mails[2]}`)
    await page.goBack()
    await row(page, "Bounced").waitFor()
    await page.goto(`${server.url}/app/p/${project.id}/activity?types=email.complaint`)
    await page.getByText("Nothing matches.").waitFor()
    await page.getByRole("button", { name: "Show everything" }).click()
    await row(page, "purchase").waitFor()
    expect(await faults(page)).toEqual([])
  }))

test("the activity of one contact is chosen by a part of its address, and removed", () =>
  visitServer({ path: "/app/sign-up" }, async ({ page, server }) => {
    await furnish(server, page, "/activity")
    await row(page, "Bounced").waitFor()
    await page.getByRole("button", { name: "Every contact" }).click()
    await page.getByRole("textbox", { name: "Find a contact" }).fill("one.te")
    await page.getByRole("button", { name: "bo@one.test" }).click()
    await row(page, "Bounced").waitFor({ state: "detached" })
    await row(page, "Delivered").waitFor()
    expect(new Set(await rows(page).getByText("@").allTextContents())).toEqual(new Set(["bo@one.test"]))
    expect(new URL(page.url()).search).toMatch(/^\?contact=[0-9a-f-]{36}$/)
    await page.reload()
    await page.getByRole("button", { name: "bo@one.test" }).waitFor()
    await page.getByRole("button", { name: "Activity of every contact" }).click()
    await row(page, "Bounced").waitFor()
    expect(new URL(page.url()).search).toBe("")
  }))

test("a contact has all that happened with it in one list, from its beginning, and each row opens its record", () =>
  visitServer({ path: "/app/sign-up" }, async ({ page, server }) => {
    const { post, mails, project } = await furnish(server, page, "/contacts")
    await page.getByRole("link", { name: "bo@one.test" }).waitFor()
    const workflow = await post("/workflows", { name: "Welcome", eventName: "hello" })
    await post(`/workflows/${workflow.id}/steps`, { type: "EXIT", name: "Out", config: { reason: "done" } })
    await server.app.workflows.change(project.id, workflow.id, { enabled: true })
    await post("/events/track", { email: "bo@one.test", event: "visit" })
    await post("/events/track", { email: "bo@one.test", event: "hello" })
    const bo = await server.app.contacts.upsert(project.id, { email: "bo@one.test", subscribedWhenNew: true })
    await server.app.settle()
    const createdAt = Date.now() - 400 * 86_400_000
    await server.app.store.write(project.id, (unit) =>
      unit.db.update(eventTable).set({ createdAt }).where(eq(eventTable.name, "visit")),
    )
    await page.goto(`${server.url}/app/p/${project.id}/contacts/${bo.contact.id}?tab=activity`)
    await row(page, "visit").waitFor()
    const names = await rows(page).locator("a > span:nth-child(2) > span:first-child").allTextContents()
    expect(names.sort()).toEqual(["Delivered", "Event", "Event", "Sent", "Workflow ended", "Workflow started"])
    expect(await page.getByRole("region", { name: "Activity" }).getByRole("heading").count()).toBe(2)
    expect(await faults(page)).toEqual([])
    await row(page, "Delivered").getByRole("link").click()
    await page.waitForURL(`**/inbox/${mails[1]}`)
  }))

test("a long list is loaded as it is scrolled, and only what is in view is there", () =>
  visitServer({ path: "/app/sign-up" }, async ({ page, server }) => {
    const { project } = await furnish(server, page, "/activity?types=event.triggered")
    await row(page, "purchase").waitFor()
    for (let n = 0; n < 320; n++)
      await server.app.events.add(project.id, {
        name: `n${n}`,
        contactId: undefined,
        emailId: undefined,
        data: undefined,
      })
    await page.reload()
    await row(page, "n319").waitFor()
    await page.mouse.move(700, 500)
    await until(async () => {
      await page.mouse.wheel(0, 4_000)
      return (await row(page, "purchase").count()) > 0
    })
    expect(await rows(page).count()).toBeLessThan(100)
  }))

test("analytics shows figures, a chart that is read by keys and as a table, and deliverability by domain", () =>
  visitServer({ path: "/app/sign-up", acceptDownloads: true }, async ({ page, server }) => {
    await furnish(server, page, "/analytics")
    await page.getByText("Sent", { exact: true }).first().waitFor()
    const chart = page.getByRole("img", { name: /Sent: 3/ })
    await chart.waitFor()
    await chart.focus()
    await page.keyboard.press("End")
    const legend = page.getByRole("region", { name: "Against the days before" }).getByRole("listitem").first()
    expect(await legend.textContent()).toBe("Sent3")
    await page.keyboard.press("Home")
    expect(await legend.textContent()).toBe("Sent0")

    for (const [name, wanted] of [
      ["CSV", /^sent-.*\.csv$/],
      ["PNG", /^sent-.*\.png$/],
    ] as const) {
      const download = page.waitForEvent("download")
      await page.getByRole("button", { name, exact: true }).click()
      expect((await download).suggestedFilename()).toMatch(wanted)
    }
    await page.getByRole("button", { name: "As a table" }).click()
    const table = page.getByRole("region", { name: "Against the days before, as a table" })
    expect(await table.getByRole("row").count()).toBe(31)

    const domains = page.getByRole("region", { name: "Recipient domains", exact: true })
    const domain = domains.getByRole("row", { name: "one.test" })
    await domain.waitFor()
    const cells = await domain.getByRole("cell").allTextContents()
    expect(cells).toEqual(["2", "100%", "50%", "0%", "0%"])
    await page.getByRole("region", { name: "Events", exact: true }).getByRole("link", { name: "purchase" }).waitFor()
    await page.getByText("7 days", { exact: true }).click()
    await page.waitForURL("**?days=7")
    expect(await faults(page)).toEqual([])
  }))

/** Answers requests of this path with a refusal. */
const refuse = (page: Page, path: RegExp) =>
  page.route(path, (route) => route.fulfill({ status: 422, json: { error: { message: "Not now.", code: "X" } } }))

test("analytics does not say that there is nothing before it is known", () =>
  visitServer({ path: "/app/sign-up", allowed: /401|422/ }, async ({ page, server }) => {
    const held = Promise.withResolvers<void>()
    await page.route("**/analytics/top-events?*", async (route) => {
      await held.promise
      await route.continue()
    })
    await refuse(page, /analytics\/domains\?/)
    // the figures come later than the tables below them
    const figures = Promise.withResolvers<void>()
    await page.route("**/analytics/overview?*", (route) => figures.promise.then(() => route.continue()))
    await furnish(server, page, "/analytics")
    const section = (name: string) => page.getByRole("region", { name, exact: true })
    const tops = async () => {
      const found: number[] = []
      for (const width of [1280, 800, 600, 390]) {
        await page.setViewportSize({ width, height: 800 })
        found.push((await section("Campaigns").boundingBox())?.y ?? 0)
      }
      return found
    }
    await section("Recipient domains").getByRole("alert").getByText("Not now.").waitFor()
    await section("Campaigns").getByText("None in these days.").waitFor()
    expect(await page.getByText("None in these days.").count()).toBe(1)
    const before = await tops()
    figures.resolve()
    await page
      .getByRole("region", { name: "Against the days before" })
      .getByRole("img", { name: /Sent: / })
      .waitFor()
    // a figure may have a line more
    const after = await tops()
    expect(before.filter((top, index) => Math.abs(top - (after[index] ?? 0)) > 24)).toEqual([])
    held.resolve()
    await section("Events").getByRole("link", { name: "purchase" }).waitFor()
    await page.unroute(/analytics\/domains\?/)
    await section("Recipient domains").getByRole("button", { name: "Try again" }).click()
    await section("Recipient domains").getByRole("row", { name: "one.test" }).waitFor()
  }))

test("days before that are not known are no days without mails", () =>
  visitServer({ path: "/app/sign-up", allowed: /401|422/ }, async ({ page, server }) => {
    const first = new Date(Date.now() - 59 * 86_400_000).toISOString().slice(0, 10)
    await refuse(page, new RegExp(`analytics/overview\\?startDate=${first}`))
    await furnish(server, page, "/analytics")
    await page.getByRole("button", { name: "As a table" }).click()
    const table = page.getByRole("region", { name: "Against the days before, as a table" })
    expect(await table.getByRole("columnheader").allTextContents()).toEqual(["Day (UTC)", "Sent"])
  }))

test("millions are told whole, at the axis of a chart too", () =>
  visitServer({ path: "/app/sign-up", viewport: { width: 320, height: 800 } }, async ({ page, server }) => {
    await page.route("**/analytics/overview?*", async (route) => {
      const overview = await (await route.fetch()).json()
      for (const figures of [overview.current, ...overview.days]) figures.sent = 123_456_789
      await route.fulfill({ json: overview })
    })
    // where each text at the axis begins
    await page.addInitScript(() => {
      const drawn: [string, number][] = []
      Object.assign(window, { drawn })
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        if (this.textAlign === "right") drawn.push([text, x - this.measureText(text).width])
        fillText.call(this, text, x, y)
      }
    })
    await furnish(server, page, "/analytics")
    await page.waitForFunction(() =>
      (window as { drawn?: [string, number][] }).drawn?.some(([text]) => text.length > 9),
    )
    const drawn = await page.evaluate(() => (window as { drawn?: [string, number][] }).drawn ?? [])
    expect(drawn.filter(([, left]) => left < 0)).toEqual([])
    const figure = page.getByText("123,456,789", { exact: true }).first()
    const [wide, seen] = await figure.evaluate((one) => [one.scrollWidth, one.clientWidth] as const)
    expect(wide).toBeLessThanOrEqual(seen)
  }))

test("the choice of days on the home page keeps the focus while they are loaded", () =>
  visitServer({ path: "/app/sign-up" }, async ({ page, server }) => {
    await furnish(server, page, "/home")
    const held = Promise.withResolvers<void>()
    const mails = page.getByRole("region", { name: "Mails", exact: true })
    await mails.getByRole("radio", { name: "30 days" }).focus()
    await page.route("**/analytics/overview?*", async (route) => {
      await held.promise
      await route.continue()
    })
    await page.keyboard.press("ArrowRight")
    await page.waitForURL("**?days=90")
    await mails.getByRole("definition").first().waitFor({ state: "detached" })
    held.resolve()
    await mails.getByRole("definition").first().waitFor()
    expect(await mails.getByRole("radio", { name: "90 days" }).evaluate((one) => one.matches(":focus"))).toBe(true)
  }))

test("home shows what is wrong, the figures, what is planned, and the latest activity", () =>
  visitServer({ path: "/app/sign-up" }, async ({ page, server }) => {
    const { campaign, post, project } = await furnish(server, page, "/home")
    await page.getByRole("region", { name: "Mails", exact: true }).waitFor()
    await page.getByRole("img", { name: /Sent: 3, Opened: 1/ }).waitFor()
    await page.getByText("1 by machines").waitFor()
    await row(page, "Bounced").waitFor()

    const { app } = server
    // A domain that was never verified is no problem, one that has lost its records is.
    await app.domains.add(project.id, "new.test", { vouched: false })
    const { id: lost } = await app.domains.add(project.id, "lost.test", { vouched: false })
    await app.store.write(project.id, async (unit) => {
      await unit.db
        .update(domainTable)
        .set({ pendingSince: unit.now + 1 })
        .where(eq(domainTable.id, lost))
    })
    const workflow = await post("/workflows", { name: "Welcome", eventName: "hello" })
    const rest = { type: "DELAY", name: "Two days", config: { amount: 2, unit: "days" } }
    await post(`/workflows/${workflow.id}/steps`, rest)
    await app.workflows.change(project.id, workflow.id, { enabled: true })
    await post("/events/track", { email: "bo@one.test", event: "hello" })
    await app.settle()
    await page.reload()
    const problems = page.getByRole("list", { name: "Problems" })
    await problems.waitFor()
    expect(await problems.getByRole("link").allTextContents()).toEqual([
      "lost.test is no longer verified: its records are missing.",
    ])
    const planned = page.getByRole("region", { name: "Now and next" })
    await planned.getByRole("link", { name: "Welcome · Two days · bo@one.test" }).waitFor()
    expect(await planned.getByRole("link").allTextContents()).toEqual(["June", "Welcome · Two days · bo@one.test"])
    expect(await planned.getByRole("time").last().textContent()).toMatch(/^\d+ [A-Z][a-z]+(?: \d{4})?, \d\d:\d\d$/)
    expect(await faults(page)).toEqual([])
    await planned.getByRole("link", { name: /^Welcome/ }).click()
    await page.waitForURL(`**/workflows/${workflow.id}/executions/*`)
    await page.goBack()
    await planned.getByRole("link", { name: "June" }).click()
    await page.waitForURL(`**/campaigns/${campaign}`)

    // numbers are those of the English texts around them, in a German browser too
    const isGerman = Promise.withResolvers<void>()
    await page.route("**/campaigns?*", async (route) => {
      const [url] = route.request().url().split("&status=")
      const list = await (await route.fetch({ url: url ?? "" })).json()
      for (const one of list.data) Object.assign(one, { sentCount: 1234, failedCount: 1500, totalRecipients: 5000 })
      await isGerman.promise
      await route.fulfill({ json: list })
    })
    await page.goto(`${server.url}/app/p/${project.id}/home`)
    await page.evaluate(() => {
      const format = Number.prototype.toLocaleString
      Number.prototype.toLocaleString = function (locales, options) {
        return format.call(this, locales ?? "de", options)
      }
    })
    isGerman.resolve()
    await planned.getByText("sending, 1,234 of 5,000").waitFor()
    await problems.getByText("June: 1,500 mails failed.").waitFor()
  }))
