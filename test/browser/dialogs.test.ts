import { expect, test } from "bun:test"
import { password } from "./account-server.ts"
import { callsTo } from "./calls.ts"
import { visit, visitServer, withBrowser } from "./harness.ts"

withBrowser()

test("a question shows the whole name that it is about, however long that is", () =>
  visit({ path: null, viewport: { width: 390, height: 800 } }, async ({ page, server }) => {
    const name = `order_${"completed_by_the_shop_".repeat(5)}today`
    await callsTo(server).post("/events/track", { email: "ada@one.test", event: name })
    await page.goto(`${server.url}/app/events/names`)
    await page.getByRole("button", { name: `Delete ${name}` }).click()
    const dialog = page.getByRole("dialog")
    await dialog.waitFor()
    const [wide, seen] = await dialog.evaluate((one) => [one.scrollWidth, one.clientWidth] as const)
    expect(wide).toBeLessThanOrEqual(seen)
  }))

test("a question shows its whole text, also on a phone", () =>
  visit({ path: null, viewport: { width: 320, height: 640 } }, async ({ page, server }) => {
    const name = `Welcome ${"to the shop of the brothers ".repeat(3)}`.trim()
    await callsTo(server).post("/workflows", { name, eventName: "signup" })
    await page.goto(`${server.url}/app/workflows`)
    await page.getByRole("button", { name: `Actions for ${name}` }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    const text = page.getByRole("dialog").getByText("are gone for good.")
    await text.waitFor()
    const [whole, seen] = await text.evaluate((one) => [one.scrollHeight, one.clientHeight] as const)
    expect(seen).toBe(whole)
  }))

test("the password dialog gives the focus back each time that it is closed", () =>
  visitServer({ path: "/app/sign-up", allowed: /40[14]/ }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Acme")
    await page.context().clearCookies()
    await page.goto(`${server.url}/app/p/${id}/settings/danger`)
    await page.getByLabel("Email", { exact: true }).fill("owner@acme.test")
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    const reset = page.getByRole("button", { name: "Reset the project" })
    await reset.waitFor()
    // The password that was given at sign-in counts until then.
    await page.reload()
    await reset.focus()
    const dialog = page.getByRole("dialog", { name: "Your password, please" })
    for (let time = 0; time < 3; time++) {
      await page.keyboard.press("Enter")
      await dialog.waitFor()
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
      await page.waitForFunction(() => document.activeElement?.textContent === "Reset the project")
    }
  }))

test("a question that was opened from a menu gives the focus back to the menu's button", () =>
  visit({ path: null }, async ({ page, server }) => {
    await callsTo(server).post("/workflows", { name: "Welcome", eventName: "signup" })
    await page.goto(`${server.url}/app/workflows`)
    for (let time = 0; time < 2; time++) {
      await page.getByRole("button", { name: "Actions for Welcome" }).click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Actions for Welcome")
    }
  }))

test("a click beside a form keeps what was typed, and Escape closes it", () =>
  visit({ path: "/app/workflows" }, async ({ page }) => {
    const dialog = page.getByRole("dialog", { name: "New workflow" })
    const open = () => page.getByRole("button", { name: "New workflow" }).first().click()
    await open()
    await dialog.waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await open()
    await dialog.getByLabel("Name", { exact: true }).fill("Welcome")
    await page.mouse.click(5, 5)
    await dialog.getByLabel("Starts with the event").fill("signup")
    await dialog.getByRole("button", { name: "Create workflow" }).click()
    await page.getByRole("heading", { name: "Edit workflow" }).waitFor({ state: "attached" })
  }))

test("a button that was refused has the focus again, and Tab does not leave its dialog", () =>
  visit({ path: null, allowed: /503/ }, async ({ page, server }) => {
    const calls = callsTo(server)
    await calls.post("/contacts", { email: "ada@one.test" })
    const fields = { name: "June", subject: "News", body: "<p>x</p>", from: "hello@shop.test", audienceType: "ALL" }
    const { id } = (await calls.post("/campaigns", fields)).data
    await page.goto(`${server.url}/app/campaigns/${id}`)
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog")
    const held = Promise.withResolvers<() => Promise<void>>()
    await page.route("**/send", (route) => held.resolve(() => route.fulfill({ status: 503, body: "{}" })))
    await dialog.getByRole("button", { name: "Send to 1" }).focus()
    await page.keyboard.press("Enter")
    const answer = await held.promise
    await page.waitForFunction(() => document.activeElement === document.body)
    await answer()
    await page.waitForFunction(() => document.activeElement?.textContent === "Send to 1")
    await page.keyboard.press("Tab")
    expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true)
  }))
