import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { until } from "../harness/store.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"
import { trackedIn } from "./tracked.ts"

withBrowser()

const path = "/app/contacts"
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const add = (page: Page) => page.locator("form").getByRole("button", { name: "Add", exact: true })
const saved = (page: Page) => page.locator("[data-unsaved]").waitFor({ state: "detached" })

async function openAda(page: Page): Promise<void> {
  await page.getByRole("link", { name: "ada@example.com" }).click()
  await page.getByRole("heading", { name: "ada@example.com" }).waitFor()
}

/** The page with one contact, open. */
const withAda = (
  data: Record<string, unknown>,
  use: (page: Page, calls: ReturnType<typeof callsTo>) => Promise<void>,
  allowed?: RegExp,
) =>
  visit({ path: null, ...(allowed ? { allowed } : {}) }, async ({ page, server }) => {
    const calls = callsTo(server)
    await calls.post("/contacts", { email: "ada@example.com", data })
    await page.goto(server.url + path)
    await openAda(page)
    await use(page, calls)
  })

test("a contact is added and opened, and an existing one is offered instead of changed", () =>
  visit({ path, allowed: /422/ }, async ({ page, server }) => {
    const { contact } = callsTo(server)
    await page.getByRole("button", { name: "Add a contact" }).click()
    const dialog = page.getByRole("dialog", { name: "Add a contact" })
    await dialog.getByLabel("Email").fill("no address")
    await dialog.getByRole("button", { name: "Add contact" }).click()
    await dialog.getByText("This is not an email address.").waitFor()
    await dialog.getByLabel("Email").fill(" Ada@Example.com ")
    await dialog.getByRole("switch", { name: "Subscribed" }).press("Space")
    await dialog.getByRole("button", { name: "Add contact" }).click()
    await page.getByRole("heading", { name: "ada@example.com" }).waitFor()
    await page.getByRole("link", { name: "ada@example.com" }).waitFor()
    expect((await contact("ada@example.com")).subscribed).toBe(false)

    await dialog.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Close" }).click()
    await page.getByRole("button", { name: "Add contact" }).click()
    await dialog.getByLabel("Email").fill("ADA@example.com")
    await dialog.getByRole("button", { name: "Add contact" }).click()
    await dialog.getByText("There is a contact with this address.").waitFor()
    await dialog.getByRole("button", { name: "Open it" }).click()
    await page.getByRole("heading", { name: "ada@example.com" }).waitFor()
    expect((await contact("ada@example.com")).subscribed).toBe(false)
  }))

test("an existing contact is recognized even if many other addresses end with its address", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { post, get } = callsTo(server)
    const { id } = await post("/contacts", { email: "z@shop.test", subscribed: false })
    for (let at = 0; at < 101; at++) await post("/contacts", { email: `${at}z@shop.test` })
    await page.goto(server.url + path)
    const dialog = page.getByRole("dialog", { name: "Add a contact" })
    await page.getByRole("button", { name: "Add contact" }).first().click()
    await dialog.getByLabel("Email").fill("Z@shop.test")
    await dialog.getByRole("button", { name: "Add contact" }).click()
    await dialog.getByText("There is a contact with this address.").waitFor()
    await dialog.getByRole("button", { name: "Open it" }).click()
    await page.getByRole("heading", { name: "z@shop.test" }).waitFor()
    expect((await get(`/contacts/${id}`)).subscribed).toBe(false)
  }))

test("fields are edited by their type, and only changes are sent", () => {
  const data = { plan: "free", score: 41, vip: false, since: "2026-01-31", city: "Oslo" }
  return withAda(data, async (page, { contact, post }) => {
    await field(page, "plan").fill("pro")
    await field(page, "score").fill("98.5")
    await page.getByRole("switch", { name: "vip" }).press("Space")
    await field(page, "since").fill("2026-02-28")
    await page.getByText("4 fields changed").waitFor()
    // another user changes the rest meanwhile
    await post("/contacts", { email: "ada@example.com", data: { city: "Bergen" } })
    await page.keyboard.press("Control+s")
    await saved(page)
    const stored = (await contact("ada@example.com")).data
    expect(stored).toEqual({ plan: "pro", score: 98.5, vip: true, since: "2026-02-28", city: "Bergen" })
    expect(await field(page, "city").inputValue()).toBe("Bergen")
  })
})

test("an invalid number is refused before it is sent", () =>
  withAda({ score: 41 }, async (page, { contact }) => {
    await field(page, "score").fill("many")
    await page.getByText("This is not a number.").waitFor()
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
    await page.getByRole("button", { name: "Discard" }).click()
    expect(await field(page, "score").inputValue()).toBe("41")
    expect((await contact("ada@example.com")).data).toEqual({ score: 41 })
  }))

test("a field is added with its known type, another one removed, a third emptied", () =>
  withAda({ plan: "free", city: "Oslo" }, async (page, { contact, post }) => {
    await post("/contacts", { email: "bo@example.com", data: { score: 7, seen: "2026-01-31T10:00:00Z" } })
    const held = Promise.withResolvers<void>()
    await page.route("**/contacts/fields", (route) => held.promise.then(() => route.continue()))
    await page.reload()
    await page.getByRole("button", { name: "Add a field" }).click()
    await page.getByRole("combobox", { name: "Name of the field" }).fill("score")
    // the types may come after the name was typed
    const type = page.getByRole("combobox", { name: "Type of the field" })
    expect(await type.inputValue()).toBe("string")
    held.resolve()
    await until(async () => (await type.inputValue()) === "number")
    await add(page).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "score")
    await page.keyboard.type("12")

    await page.getByRole("button", { name: "Add a field" }).click()
    await page.getByRole("combobox", { name: "Name of the field" }).fill("unsubscribeUrl")
    await add(page).click()
    await page.getByText("“unsubscribeUrl” is reserved and never stored.").waitFor()
    await page.keyboard.press("Escape")

    await page.getByRole("button", { name: "Remove plan" }).click()
    await page.getByText("Will be removed").waitFor()
    await page.getByRole("button", { name: "Bring back plan" }).click()
    expect(await field(page, "plan").inputValue()).toBe("free")
    await page.getByRole("button", { name: "Remove plan" }).click()
    await field(page, "city").fill("")
    await page.getByRole("button", { name: "Save" }).click()
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({ score: 12 })
  }))

test("objects and lists are edited in place, at any depth", () => {
  const data = { profile: { tier: "gold", address: { city: "Oslo", zip: "0150" } }, tags: ["a", "b"] }
  return withAda(data, async (page, { contact }) => {
    await field(page, "city").fill("Bergen")
    await page.getByRole("button", { name: "Remove zip" }).click()
    const profile = page.getByRole("group", { name: "profile" })
    await profile.getByRole("button", { name: "Add a field" }).last().click()
    await profile.getByRole("combobox", { name: "Name of the field" }).fill("since")
    await profile.getByRole("combobox", { name: "Type of the field" }).selectOption("number")
    await profile.getByRole("button", { name: "Add", exact: true }).click()
    await field(page, "since").fill("2020")
    await page.getByRole("button", { name: "Add an item" }).click()
    await add(page).click()
    await field(page, "3").fill("c")
    await page.getByRole("button", { name: "Save" }).click()
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({
      profile: { tier: "gold", address: { city: "Bergen" }, since: 2020 },
      tags: ["a", "b", "c"],
    })
  })
})

test("the type of a value is changed in place", () =>
  withAda({ zip: "150" }, async (page, { contact }) => {
    await page.getByRole("button", { name: "Type of zip: Text" }).click()
    await page.getByRole("menuitem", { name: "Date" }).click()
    await page.getByText("“150” is not a date.").waitFor()
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
    await page.getByRole("button", { name: "Type of zip: Date" }).click()
    await page.getByRole("menuitem", { name: "Number" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({ zip: 150 })
  }))

test("data is edited as JSON, checked while typing, and shown as fields again", () =>
  withAda({ plan: "free", city: "Oslo" }, async (page, { contact }) => {
    await page.getByRole("tab", { name: "JSON" }).click()
    const area = page.getByLabel("Data as JSON")
    expect(JSON.parse(await area.inputValue())).toEqual({ plan: "free", city: "Oslo" })
    await area.fill('{\n  "plan": "pro",,\n}')
    await page.getByText(/^Line 2, column 17: /).waitFor()
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
    await page.getByRole("tab", { name: "Fields" }).click()
    await page.getByRole("button", { name: "Back to the JSON" }).click()
    await area.fill('{ "email": "x@example.com" }')
    await page.getByText("“email” is reserved and never stored.").waitFor()
    await area.fill('{ "plan": "pro", "profile": { "tier": null } }')
    await page.getByRole("tab", { name: /Fields/ }).click()
    expect(await field(page, "plan").inputValue()).toBe("pro")
    await page.getByRole("tab", { name: "JSON" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({ plan: "pro", profile: { tier: null } })
  }))

test("an address is changed, but not to that of another contact", () =>
  withAda(
    {},
    async (page, { contact, post }) => {
      await post("/contacts", { email: "bo@example.com" })
      await page.getByRole("button", { name: "Change address" }).click()
      await field(page, "Address").fill("bo@example.com")
      await page.keyboard.press("Enter")
      await page.getByText("Another contact has this address.").waitFor()
      await field(page, "Address").fill("Ada@North.test")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "ada@north.test" }).waitFor()
      await page.getByRole("link", { name: "ada@north.test" }).waitFor()
      expect(await contact("ada@example.com")).toBeUndefined()
    },
    /409/,
  ))

test("the subscription changes at once, and is reverted when the server refuses", () =>
  withAda(
    {},
    async (page, { contact }) => {
      const answered = page.waitForResponse((answer) => answer.request().method() === "PATCH")
      await page.getByRole("switch", { name: "Subscribed" }).press("Space")
      await page.getByText("Receives transactional mail only").waitFor()
      await answered
      await page.getByRole("row").filter({ hasText: "Unsubscribed" }).waitFor()
      expect((await contact("ada@example.com")).subscribed).toBe(false)
      await page.route("**/contacts/*", (route) =>
        route.request().method() === "PATCH" ? route.fulfill({ status: 500, body: "{}" }) : route.continue(),
      )
      await page.getByRole("switch", { name: "Subscribed" }).press("Space")
      await page.getByRole("alert").filter({ hasText: "Not changed" }).waitFor()
      await page.getByText("Receives transactional mail only").waitFor()
    },
    /500/,
  ))

test("deleting a contact removes it from the list and opens the next one, until it is undone", () =>
  withAda({}, async (page, { contact, post }) => {
    await post("/contacts", { email: "bo@example.com" })
    await page.reload()
    await openAda(page)
    // unsaved changes do not prevent this
    await page.getByRole("tab", { name: "JSON" }).click()
    await page.getByLabel("Data as JSON").fill('{ "plan": "pro" }')
    await page.getByText("1 field changed").waitFor()
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByText("1 contact", { exact: true }).waitFor()
    await page.getByRole("article", { name: "Contact" }).waitFor({ state: "detached" })
    await page.waitForFunction(() => document.activeElement?.textContent === "bo@example.com")
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("2 contacts", { exact: true }).waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === "ada@example.com")
    await page.keyboard.press("#")
    await page.getByText("1 contact", { exact: true }).waitFor()
    await page.reload()
    await page.getByText("1 contact", { exact: true }).waitFor()
    expect(await contact("ada@example.com")).toBeUndefined()
  }))

test("leaving unsaved changes asks first, by link, by key and by going back", () =>
  withAda({ plan: "free" }, async (page) => {
    await field(page, "plan").fill("pro")
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" })
    for (const leave of [
      () => page.getByRole("link", { name: "Inbox" }).click(),
      () => page.getByRole("button", { name: "Close", exact: true }).click(),
      () => page.goBack(),
    ]) {
      await leave()
      await dialog.getByRole("button", { name: "Stay" }).click()
      await dialog.waitFor({ state: "detached" })
      expect(await field(page, "plan").inputValue()).toBe("pro")
    }
    // switching to the emails is not leaving
    await page.getByRole("tab", { name: "Emails" }).click()
    await page.getByText("Nothing was sent to ada@example.com yet.").waitFor()
    await page.getByRole("tab", { name: /^Fields.*not saved$/ }).waitFor()
    await page.getByRole("tab", { name: /Fields/ }).click()
    expect(await field(page, "plan").inputValue()).toBe("pro")
    await page.getByRole("link", { name: "Templates" }).click()
    await dialog.getByRole("button", { name: "Leave" }).click()
    await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor()
  }))

test("the mails of a contact link to the inbox, and going back returns to the contact", () =>
  visit({ mails: [{ subject: "First" }, { subject: "Second" }] }, async ({ page, server, row }) => {
    await row("First").waitFor()
    await page.goto(server.url + path)
    await openAda(page)
    await page.getByRole("tab", { name: "Emails" }).click()
    await page.getByRole("link", { name: /Second/ }).waitFor()
    expect(await page.getByRole("list", { name: "Emails" }).getByRole("listitem").count()).toBe(2)
    await page.getByRole("link", { name: /First/ }).click()
    await page.getByRole("heading", { name: "First", level: 1 }).waitFor()
    await page.getByRole("button", { name: "Contact ada@example.com" }).click()
    await page.getByRole("link", { name: "Open the contact" }).click()
    await page.getByRole("heading", { name: "ada@example.com" }).waitFor()
  }))

test("a link to a deleted contact shows that it does not exist", () =>
  visit({ path: `${path}/${Bun.randomUUIDv7()}`, allowed: /404/ }, async ({ page }) => {
    await page.getByRole("alert").getByText("This contact is not here.").waitFor()
  }))

test("a contact shows its totals, its last open and the segments it is in", () =>
  visit({ path: null, mails: [{ subject: "Hello", to: "ada@example.com" }] }, async ({ page, server }) => {
    const { contact, post, get } = callsTo(server)
    const { id } = await contact("ada@example.com")
    const filters = [{ field: "email", operator: "contains", value: "ada" }]
    await post("/segments", { name: "Adas", condition: { logic: "AND", groups: [{ filters }] } })
    await page.goto(`${server.url}/app/contacts/${id}`)
    const facts = page.getByLabel("Facts", { exact: true })
    await facts.getByRole("link", { name: "Adas" }).waitFor()
    expect(await facts.locator("dd").allTextContents()).toEqual(["1", "2", "Never", "Adas"])
    const [{ id: email }] = (await get("/emails")).data
    const { image } = await trackedIn(server, email)
    expect((await fetch(image)).status).toBe(200)
    // the totals come late, and what is below stays where it is
    const held = Promise.withResolvers<void>()
    await page.route("**/segments?contactId=*", (route) => held.promise.then(() => route.continue()))
    await page.reload()
    const top = async () => (await page.getByRole("tablist").last().boundingBox())?.y
    const before = await top()
    held.resolve()
    await facts.getByRole("link", { name: "Adas" }).waitFor()
    expect(await top()).toBe(before)
    expect(await facts.locator("dd").allTextContents()).toEqual(["1", "3", expect.stringMatching(/now|second/), "Adas"])
  }))

test("the initials of a contact are whole characters", () =>
  withAda({ firstName: "Ada 🎉" }, (page) =>
    page.locator(".mantine-Avatar-root").getByText("A", { exact: true }).waitFor(),
  ))
