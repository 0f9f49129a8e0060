import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const saved = (page: Page) => page.locator("[data-unsaved]").waitFor({ state: "detached" })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "")

/** The page with one contact, open. */
const withAda = (
  data: Record<string, unknown>,
  use: (page: Page, calls: ReturnType<typeof callsTo>) => Promise<void>,
  allowed?: RegExp,
) =>
  visit({ path: null, ...(allowed ? { allowed } : {}) }, async ({ page, server }) => {
    const calls = callsTo(server)
    const { id } = await calls.post("/contacts", { email: "ada@example.com", data })
    await page.goto(`${server.url}/app/contacts/${id}`)
    await page.getByRole("heading", { name: "ada@example.com" }).waitFor()
    await use(page, calls)
  })

test("saving by key keeps the cursor, also in a text that becomes long and inside a list", () =>
  withAda({ plan: "free", note: "short", tags: ["a", "b"] }, async (page, { contact }) => {
    const long = "a text that is by far too long for one line of the panel"
    const endings = [
      ["plan", "pro"],
      ["note", long],
      ["2", "c"],
    ] as const
    for (const [name, text] of endings) {
      await field(page, name).fill(text)
      await page.keyboard.press("Control+s")
      await saved(page)
      expect(await focused(page)).toBe(name)
      await page.keyboard.type("!")
    }
    await page.keyboard.press("Control+s")
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({ plan: "pro!", note: `${long}!`, tags: ["a", "c!"] })
  }))

test("a field changed elsewhere is updated, and the cursor stays", () =>
  withAda({ plan: "free", seats: 3 }, async (page, { post }) => {
    await field(page, "plan").click()
    const plan = await field(page, "plan").elementHandle()
    await post("/contacts", { email: "ada@example.com", data: { plan: "team", seats: 4, city: "Oslo" } })
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).fill("refresh")
    await page.keyboard.press("Enter")
    await field(page, "city").waitFor()
    expect([await field(page, "plan").inputValue(), await field(page, "seats").inputValue()]).toEqual(["team", "4"])
    expect(await plan?.evaluate((element) => element === document.activeElement)).toBe(true)
  }))

test("a field that was also changed elsewhere is overwritten only after confirmation", () =>
  withAda({ plan: "free", city: "Oslo" }, async (page, { post, contact }) => {
    const asked = page.getByRole("dialog", { name: "Changed elsewhere meanwhile" })
    const choose = (name: string) => asked.getByRole("button", { name }).click()
    await field(page, "plan").fill("pro")
    await post("/contacts", { email: "ada@example.com", data: { plan: "team", city: "Bergen" } })
    await page.keyboard.press("Control+s")
    await choose("Keep editing")
    await asked.waitFor({ state: "detached" })
    expect(await field(page, "plan").inputValue()).toBe("pro")
    await page.getByRole("button", { name: "Save" }).click()
    await choose("Overwrite")
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({ plan: "pro", city: "Bergen" })

    await field(page, "plan").fill("free")
    await post("/contacts", { email: "ada@example.com", data: { plan: "team" } })
    await page.getByRole("button", { name: "Save" }).click()
    await choose("Load it")
    await saved(page)
    expect(await field(page, "plan").inputValue()).toBe("team")
  }))

test("a contact that was deleted elsewhere is created again from the draft", () =>
  withAda(
    { plan: "free" },
    async (page, { contact, post, remove }) => {
      await post("/contacts", { email: "ada@example.com", subscribed: false })
      await page.reload()
      await field(page, "plan").fill("pro")
      const { id } = await contact("ada@example.com")
      await remove(`/contacts/${id}`)
      await page.keyboard.press("Control+s")
      await page.getByRole("alert").filter({ hasText: "This contact was deleted elsewhere" }).waitFor()
      expect(await field(page, "plan").inputValue()).toBe("pro")
      await page.getByRole("button", { name: "Create it again" }).click()
      await saved(page)
      await page.waitForURL((url) => !url.pathname.endsWith(id))
      expect(await contact("ada@example.com")).toMatchObject({ subscribed: false, data: { plan: "pro" } })
      expect(await field(page, "plan").inputValue()).toBe("pro")
    },
    /404/,
  ))

test("saving keeps fields that others added meanwhile", () =>
  withAda({ plan: "free" }, async (page, { post, contact }) => {
    await field(page, "plan").fill("pro")
    await post("/contacts", { email: "ada@example.com", data: { city: "Oslo" } })
    await page.getByRole("switch", { name: /subscribed/i }).focus()
    await page.keyboard.press("Space")
    await page.getByText("Unsubscribed").first().waitFor()
    await page.getByText("1 field changed").waitFor()
    await page.keyboard.press("Control+s")
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({ plan: "pro", city: "Oslo" })
    expect(await field(page, "city").inputValue()).toBe("Oslo")
  }))

test("a part of a time can be retyped, and nothing is saved or removed until it is complete", () =>
  withAda({ seen: "2026-01-31T10:20:30Z" }, async (page, { contact }) => {
    const seen = field(page, "seen")
    expect(await seen.inputValue()).toBe("2026-01-31T10:20:30")
    await page.getByText("UTC", { exact: true }).waitFor()
    await seen.focus()
    await page.keyboard.press("Backspace")
    await page.getByText("Not a date yet.").waitFor()
    expect(await seen.getAttribute("type")).toBe("datetime-local")
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
    await page.keyboard.press("Control+s")
    await page.keyboard.type("03")
    await page.getByText("Not a date yet.").waitFor({ state: "detached" })
    expect(await seen.inputValue()).toBe("2026-03-31T10:20:30")
    await page.keyboard.press("Control+s")
    await saved(page)
    expect(await focused(page)).toBe("seen")
    expect((await contact("ada@example.com")).data).toEqual({ seen: "2026-03-31T10:20:30Z" })
  }))

test("a date with all parts deleted is removed, and a partial date is incomplete", () =>
  withAda({ since: "2026-01-31" }, async (page, { contact }) => {
    const since = field(page, "since")
    await since.focus()
    for (const key of ["Backspace", "Tab", "Backspace", "Tab", "Backspace"]) await page.keyboard.press(key)
    await page.getByText("Not a date yet.").waitFor({ state: "detached" })
    await page.getByText("1 field changed").waitFor()
    await page.keyboard.type("2026")
    await page.getByText("Not a date yet.").waitFor()
    await page.keyboard.press("Backspace")
    await page.getByText("1 field changed").waitFor()
    await page.keyboard.press("Control+s")
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({})
  }))

test("only the button adds a time to a date or removes it", () =>
  withAda({ since: "2026-01-31" }, async (page, { contact }) => {
    await page.getByRole("button", { name: "since with a time" }).click()
    expect(await field(page, "since").inputValue()).toBe("2026-01-31T00:00")
    await field(page, "since").fill("")
    expect(await field(page, "since").getAttribute("type")).toBe("datetime-local")
    await field(page, "since").fill("2026-02-28T11:30")
    await page.getByRole("button", { name: "Save" }).click()
    await saved(page)
    expect((await contact("ada@example.com")).data).toEqual({ since: "2026-02-28T11:30:00Z" })
    await page.getByRole("button", { name: "since without a time" }).click()
    expect(await field(page, "since").inputValue()).toBe("2026-02-28")
    await page.getByRole("button", { name: "Discard" }).click()
    expect(await field(page, "since").inputValue()).toBe("2026-02-28T11:30")
  }))
