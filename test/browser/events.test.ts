import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../harness/store.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const ada = "ada@example.com"
const entries = (page: Page) => page.locator("[data-event]")
const entry = (page: Page, name: string) => entries(page).filter({ hasText: name })
const nameField = (page: Page) => page.getByLabel("Name", { exact: true }).and(page.locator("input"))

test("the page without events explains how to send one, and then shows it automatically", () =>
  visit({ path: "/app/events" }, async ({ page, server }) => {
    await page.getByRole("heading", { name: "Nothing happened yet" }).waitFor()
    await page.getByRole("region", { name: "curl command" }).getByText("/v1/track").waitFor()
    await callsTo(server).post("/events/track", { event: "signed_up", email: ada })
    await entry(page, "signed_up").waitFor()
  }))

test("recent events are grouped by day, and each opens to show its data", () =>
  visit({ path: "/app/inbox", mails: [{ subject: "Welcome", to: ada }] }, async ({ page, server }) => {
    const { post } = callsTo(server)
    await post("/events/track", { event: "purchase", email: ada, data: { amount: 99, plan: "pro", list: ["a", "b"] } })
    await post("/events/track", { name: "nightly_report" })
    await page.getByRole("link", { name: "Events" }).click()
    await page.getByText("4 events").waitFor()
    await page.getByRole("region", { name: "Today" }).waitFor()
    const lines = await entries(page).getByRole("button").allTextContents()
    expect(lines.map((line) => line.replace(/\d\d:\d\d$/, ""))).toEqual([
      "nightly_report",
      `purchaseamount 99 · plan pro · list a, b${ada}`,
      `email.deliveryWelcome${ada}`,
      `email.sentWelcome${ada}`,
    ])

    await entry(page, "purchase").getByRole("button").click()
    const code = await entry(page, "purchase").getByRole("region", { name: "data" }).textContent()
    expect(JSON.parse(code ?? "")).toEqual({ amount: 99, plan: "pro", list: ["a", "b"] })
    await entry(page, "nightly_report").getByRole("button").click()
    await entry(page, "nightly_report").getByText("It was recorded without data.").waitFor()
    await entry(page, "nightly_report").getByText("Of nobody").waitFor()
    await entry(page, "purchase")
      .getByRole("button", { name: /purchase/ })
      .click()
    expect(await page.getByRole("region", { name: "data" }).count()).toBe(0)

    await entry(page, "email.sent").getByRole("button").click()
    await page.getByRole("link", { name: "Open the message" }).click()
    await page.getByRole("heading", { name: "Welcome", level: 1 }).waitFor()
    await page.goBack()
    await entry(page, "purchase").getByRole("button").click()
    await entry(page, "purchase").getByRole("link", { name: ada }).click()
    await page.getByRole("article", { name: "Contact" }).getByText(ada).waitFor()
  }))

test("the list is filtered by a chosen name, which is in the URL", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post } = callsTo(server)
    for (const event of ["login", "purchase", "login", "ship it / 100%"])
      await post("/events/track", { event, email: ada })
    const counted = Promise.withResolvers<void>()
    await page.route("**/events/stats*", (route) => counted.promise.then(() => route.continue()))
    await page.goto(`${server.url}/app/events`)
    await page.getByText("4 events").waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("log")
    counted.resolve()
    await page.getByRole("option").filter({ hasText: "login" }).getByText("2").waitFor()
    expect(await page.getByRole("option").count()).toBe(1)
    await page.keyboard.press("Enter")
    await page.getByText("2 events").waitFor()
    expect(await entries(page).count()).toBe(2)
    expect(new URL(page.url()).search).toBe("?name=login")
    await nameField(page).fill("i")
    await page.getByRole("option").nth(1).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByText("1 event", { exact: true }).waitFor()
    expect(await nameField(page).inputValue()).toBe("ship it / 100%")

    await page.goto(`${server.url}/app/events?${new URLSearchParams({ name: "ship it / 100%" })}`)
    await page.getByText("1 event", { exact: true }).waitFor()
    expect(await nameField(page).inputValue()).toBe("ship it / 100%")
    await page.goto(`${server.url}/app/events?name=nothing`)
    await page.getByText("There is no event named nothing.").waitFor()
    await page.getByRole("button", { name: "Show all events" }).last().click()
    await page.getByText("4 events").waitFor()
  }))

test("older events are loaded when the list is scrolled to its end", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post } = callsTo(server)
    for (let number = 1; number <= 95; number++) await post("/events/track", { name: `event ${number}` })
    await page.goto(`${server.url}/app/events`)
    await page.getByText("95 events").waitFor()
    const last = entries(page).filter({ hasText: /^event 1\d\d:/ })
    await until(async () => {
      await entries(page).last().scrollIntoViewIfNeeded()
      return (await last.count()) > 0
    })
    expect(await entries(page).count()).toBe(95)
  }))

test("the rows are navigated by key", () =>
  visit({ path: null }, async ({ page, server }) => {
    for (const name of ["first", "second"]) await callsTo(server).post("/events/track", { name })
    await page.goto(`${server.url}/app/events`)
    await entry(page, "first").waitFor()
    for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key)
    await entry(page, "first").getByText("It was recorded without data.").waitFor()
    await page.keyboard.press("k")
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("second")
  }))

test("a contact has its events as a timeline", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post, contact } = callsTo(server)
    for (const event of ["signed_up", "purchase"])
      await post("/events/track", { event, email: ada, data: { plan: "pro" } })
    await post("/events/track", { event: "purchase", email: "bo@example.com" })
    await post("/contacts", { email: ada, subscribed: false })
    const { id } = await contact(ada)
    await page.goto(`${server.url}/app/contacts/${id}`)
    await page.getByRole("tab", { name: "Events" }).click()
    await entry(page, "contact.unsubscribed").getByText("by the API").waitFor()
    const lines = await entries(page).getByRole("button").allTextContents()
    expect(lines.map((line) => line.replace(/\d\d:\d\d$/, ""))).toEqual([
      "contact.unsubscribedby the API",
      "purchaseplan pro",
      "signed_upplan pro",
    ])
    await entry(page, "signed_up").getByRole("button").click()
    await entry(page, "signed_up").getByRole("region", { name: "data" }).getByText('"plan": "pro"').waitFor()
    // Text typed elsewhere on the page is kept.
    await page.getByRole("tab", { name: /Fields/ }).click()
    await page.getByRole("tab", { name: "Events" }).click()
    await entry(page, "signed_up").waitFor()

    await post("/contacts", { email: "new@example.com" })
    await page.goto(`${server.url}/app/contacts/${(await contact("new@example.com")).id}`)
    await page.getByRole("tab", { name: "Events" }).click()
    await page.getByText("Nothing happened with new@example.com yet.").waitFor()
  }))

test("on a narrow screen nothing is wider than the screen", () =>
  visit({ path: null, viewport: { width: 380, height: 780 } }, async ({ page, server }) => {
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    const name = "a_name_that_somebody_chose_without_thinking_of_narrow_screens_at_all"
    const { post } = callsTo(server)
    await post("/events/track", {
      event: name,
      email: `${"long".repeat(12)}@example.com`,
      data: { note: "x".repeat(300) },
    })
    await page.goto(`${server.url}/app/events`)
    await entry(page, name).getByRole("button").click()
    await page.getByRole("region", { name: "data" }).waitFor()
    expect(await overflow()).toBe(0)
    await page.getByRole("link", { name: "Names" }).click()
    await page.getByRole("button", { name, exact: true }).click()
    await page.getByText("1 had one").waitFor()
    expect(await overflow()).toBe(0)
    expect(await page.getByRole("region", { name: "Names" }).evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(
      0,
    )
  }))

test("events are filtered by contact and by day, and both are in the URL", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post } = callsTo(server)
    await post("/events/track", { event: "purchase", email: ada })
    await post("/events/track", { event: "login", email: "bo@example.com" })
    await page.goto(`${server.url}/app/events`)
    await entry(page, "login").waitFor()
    await page.getByRole("button", { name: "Every contact" }).click()
    await page.getByRole("button", { name: ada, exact: true }).click()
    await entry(page, "login").waitFor({ state: "detached" })
    await entry(page, "purchase").waitFor()
    await page.reload()
    await page.getByRole("button", { name: ada }).first().waitFor()
    await page.getByRole("button", { name: "Events of every contact" }).click()
    await entry(page, "login").waitFor()

    const tomorrow = await page.evaluate(() => new Date(Date.now() + 86_400_000).toLocaleDateString("sv"))
    await page.getByLabel("From day").fill(tomorrow)
    await page.getByText("No event matches.").waitFor()
    expect(new URL(page.url()).search).toBe(`?from=${tomorrow}`)
    await page.getByRole("button", { name: "Show all events" }).click()
    await entry(page, "purchase").waitFor()
  }))
