import { expect, test } from "bun:test"
import { faults } from "./axe.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

test("the palette finds contacts, campaigns, templates and segments, legibly, and opens them", () =>
  visit({ mails: [{ subject: "One" }] }, async ({ page, server, row }) => {
    const calls = callsTo(server)
    await calls.post("/contacts", { email: "zoe@one.test", data: { city: "Springfield" } })
    const content = { subject: "Hi", body: "<p>Hi</p>", from: "hello@shop.test" }
    await calls.post("/campaigns", { name: "Spring sale", audienceType: "ALL", ...content })
    await calls.addTemplate({ name: "Spring letter" })
    await calls.post("/segments", { name: "Springers", type: "STATIC" })
    // Keys pressed before the page is loaded are lost.
    await row("One").waitFor()
    const palette = page.getByRole("dialog", { name: "Command palette" })
    for (const [name, path] of [
      ["zoe@one.test", "contacts"],
      ["Spring sale", "campaigns"],
      ["Spring letter", "templates"],
      ["Springers", "segments"],
    ] as const) {
      await page.keyboard.press("Control+k")
      await palette.getByLabel("Command", { exact: true }).fill("spring")
      await palette.getByRole("option", { name }).click()
      await page.waitForURL(new RegExp(`/${path}/[0-9a-f-]{36}`))
      await palette.waitFor({ state: "detached" })
    }
    await page.keyboard.press("Control+k")
    await palette.getByLabel("Command", { exact: true }).fill("Spring sale")
    await palette.locator("[data-selected]").filter({ hasText: "Hi" }).waitFor()
    expect(await faults(page)).toEqual([])
  }))

test("Enter opens the first record that the palette finds, without a key before", () =>
  visit({ mails: [{ subject: "One" }] }, async ({ page, server, row }) => {
    for (const email of ["ada@one.test", "bo@one.test"]) await callsTo(server).post("/contacts", { email })
    await row("One").waitFor()
    const palette = page.getByRole("dialog", { name: "Command palette" })
    for (const email of ["bo@one.test", "ada@one.test"]) {
      await page.keyboard.press("Control+k")
      await palette.getByLabel("Command", { exact: true }).fill(email)
      await palette.getByRole("option", { name: email }).waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL(/contacts.[0-9a-f-]{36}/)
      await page.getByText(email).first().waitFor()
      await palette.waitFor({ state: "detached" })
    }
  }))

test("contacts are searched by the values of their fields, and all matches can be changed in one job", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    const bulk = { subscribed: true, data: { city: "Bern" } }
    // More than a job takes by their ids.
    const found = 1_050
    for (let from = 0; from < found; from += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => calls.post("/contacts", { email: `p${from + at}@one.test`, ...bulk })),
      )
    await calls.post("/contacts", { email: "bo@one.test", subscribed: true, data: { city: "Basel" } })
    await calls.post("/contacts", { email: "cy@bern.test", subscribed: true, data: { city: "Basel" } })
    await page.goto(`${server.url}/app/contacts`)
    await page.getByText("bo@one.test").waitFor()
    await page.getByLabel("Search contacts").fill("BERN")
    await page.getByText("bo@one.test").waitFor({ state: "detached" })
    await page.getByText("1,051 found").waitFor()
    await page.getByLabel("Select cy@bern.test").click()
    await page.getByRole("button", { name: "Select all 1,051 that match" }).click()
    await page.getByRole("button", { name: "Unsubscribe", exact: true }).click()
    const unsubscribe = page.getByRole("dialog").getByRole("button", { name: "Unsubscribe 1,051" })
    // a double click of which both clicks wait while the page is busy
    await unsubscribe.evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
    // In one look, because what is told of a job goes away by itself.
    const told = await page.waitForFunction(() => {
      const jobs = document.querySelector('[role=status][aria-label="Jobs"]')?.textContent ?? ""
      return jobs.includes("1,051 contacts unsubscribed") && jobs.split("unsubscribed").length - 1
    })
    expect(await told.jsonValue()).toBe(1)
    expect((await calls.get("/contacts?subscribed=true")).data).toMatchObject([{ email: "bo@one.test" }])
    expect((await calls.get("/contacts?subscribed=false&limit=1")).total).toBe(1_051)
  }))
