import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

test("the palette finds contacts, campaigns, templates and segments, and leads to them", () =>
  visit({ mails: [{ subject: "One" }] }, async ({ page, server, row }) => {
    const calls = callsTo(server)
    await calls.post("/contacts", { email: "zoe@one.test", data: { city: "Springfield" } })
    const content = { subject: "Hi", body: "<p>Hi</p>", from: "hello@shop.test" }
    await calls.post("/campaigns", { name: "Spring sale", audienceType: "ALL", ...content })
    await calls.addTemplate({ name: "Spring letter" })
    await calls.post("/segments", { name: "Springers", type: "STATIC" })
    // Keys pressed before the page is there reach nobody.
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
      await palette.getByRole("button", { name }).click()
      await page.waitForURL(new RegExp(`/${path}/[0-9a-f-]{36}`))
      await palette.waitFor({ state: "detached" })
    }
  }))

test("contacts are searched by the values of their fields, and everyone found can be changed in one job", () =>
  visit({ path: "/app/contacts" }, async ({ page, server }) => {
    const calls = callsTo(server)
    for (const [email, city] of [
      ["ada@one.test", "Bern"],
      ["bo@one.test", "Basel"],
      ["cy@bern.test", "Basel"],
    ])
      await calls.post("/contacts", { email, subscribed: true, data: { city } })
    await page.goto(`${server.url}/app/contacts`)
    await page.getByText("bo@one.test").waitFor()
    await page.getByLabel("Search contacts").fill("BERN")
    await page.getByText("bo@one.test").waitFor({ state: "detached" })
    await page.getByText("cy@bern.test").waitFor()
    await page.getByText("ada@one.test").waitFor()
    expect(await calls.contact("ada@one.test")).toMatchObject({ subscribed: true })
  }))
