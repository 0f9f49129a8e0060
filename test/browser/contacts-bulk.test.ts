import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/contacts"
const tick = (page: Page, email: string) => page.getByLabel(`Select ${email}`)
const job = (page: Page) => page.getByRole("status", { name: "Jobs" })

const withContacts = (
  count: number,
  use: (page: Page, calls: ReturnType<typeof callsTo>) => Promise<void>,
  allowed?: RegExp,
) =>
  visit({ path: null, ...(allowed ? { allowed } : {}) }, async ({ page, server }) => {
    const calls = callsTo(server)
    await calls.addContacts(count)
    await page.goto(server.url + path)
    await page.getByText(`${count} contacts`).waitFor()
    await use(page, calls)
  })

const unsubscribed = async ({ get }: ReturnType<typeof callsTo>): Promise<string[]> =>
  (await get("/contacts?subscribed=false&sort=email&dir=asc&limit=100")).data.map(
    ({ email }: { email: string }) => email,
  )

test("selected contacts are unsubscribed and subscribed again, and the list updates itself", () =>
  withContacts(4, async (page, calls) => {
    await tick(page, "p001@example.com").click()
    await tick(page, "p003@example.com").click()
    await page.getByText("2 selected").waitFor()
    await page.getByRole("button", { name: "Unsubscribe" }).click()
    await job(page).getByText("2 contacts unsubscribed").waitFor()
    await page.getByText("2 selected").waitFor({ state: "detached" })
    await page.getByRole("row").filter({ hasText: "Unsubscribed" }).nth(1).waitFor()
    expect(await unsubscribed(calls)).toEqual(["p001@example.com", "p003@example.com"])

    await tick(page, "p001@example.com").click()
    await page.getByRole("button", { name: "Subscribe", exact: true }).click()
    await job(page).getByText("1 contact subscribed").waitFor()
    expect(await unsubscribed(calls)).toEqual(["p003@example.com"])
    // a result that was seen disappears on navigation
    await page.getByRole("link", { name: "Fields" }).click()
    await job(page).getByText("1 contact subscribed").waitFor({ state: "detached" })
  }))

test("subscribing several contacts asks first, because it reverses their choices", () =>
  withContacts(3, async (page, calls) => {
    await calls.post("/contacts", { email: "p001@example.com", subscribed: false })
    await tick(page, "p001@example.com").click()
    await tick(page, "p002@example.com").click()
    await page.getByRole("button", { name: "Subscribe", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Subscribe 2 contacts?" })
    await dialog.getByText("Whoever opted out gets campaigns and marketing mail again.").waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await dialog.waitFor({ state: "detached" })
    expect(await unsubscribed(calls)).toEqual(["p001@example.com"])
    await page.getByRole("button", { name: "Subscribe", exact: true }).click()
    await dialog.getByRole("button", { name: "Subscribe 2" }).click()
    await job(page).getByText("2 contacts subscribed").waitFor()
    expect(await unsubscribed(calls)).toEqual([])
  }))

test("shift selects a range, and the checkbox in the header selects all loaded contacts", () =>
  withContacts(5, async (page) => {
    await tick(page, "p005@example.com").click()
    await tick(page, "p002@example.com").click({ modifiers: ["Shift"] })
    await page.getByText("4 selected").waitFor()
    await page.getByLabel("Select all in the list").click()
    await page.getByText("4 selected").waitFor({ state: "detached" })
    await page.getByLabel("Select all in the list").click()
    await page.getByText("5 selected").waitFor()
  }))

test("selecting all matches includes contacts that are not loaded, except deselected ones", () =>
  withContacts(60, async (page, calls) => {
    await calls.post("/contacts", { email: "other@north.test" })
    await page.getByLabel("Search contacts").fill("example.com")
    await page.getByText("60 found").waitFor()
    await page.getByLabel("Select all in the list").click()
    await page.getByText("50 selected").waitFor()
    await page.getByRole("button", { name: "Select all 60 that match" }).click()
    await tick(page, "p060@example.com").click()
    await page.getByText("59 selected").waitFor()
    await page.getByRole("button", { name: "Unsubscribe" }).click()
    const dialog = page.getByRole("dialog", { name: "Unsubscribe 59 contacts?" })
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await dialog.waitFor({ state: "detached" })
    expect(await unsubscribed(calls)).toEqual([])
    await page.getByRole("button", { name: "Unsubscribe" }).click()
    await dialog.getByRole("button", { name: "Unsubscribe 59" }).click()
    await job(page).getByText("59 contacts unsubscribed").waitFor()
    const gone = await unsubscribed(calls)
    expect(gone).toHaveLength(59)
    expect(gone).not.toContain("p060@example.com")
    expect(gone).not.toContain("other@north.test")
  }))

test("deleting asks with the number of contacts, and removes them from the list", () =>
  withContacts(3, async (page, { get }) => {
    await tick(page, "p001@example.com").click()
    await tick(page, "p002@example.com").click()
    await page.getByRole("button", { name: "Delete" }).click()
    const dialog = page.getByRole("dialog", { name: "Delete 2 contacts?" })
    await dialog.getByRole("button", { name: "Keep" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Delete" }).click()
    await dialog.getByRole("button", { name: "Delete 2" }).click()
    await job(page).getByText("2 contacts deleted").waitFor()
    await page.getByText("1 contact", { exact: true }).waitFor()
    expect((await get("/contacts")).total).toBe(1)
  }))

test("another search clears the selection", () =>
  withContacts(2, async (page) => {
    await tick(page, "p001@example.com").click()
    await page.getByText("1 selected").waitFor()
    await page.evaluate(() => history.pushState(null, "", "/app/contacts?search=p00"))
    await page.getByText("2 found").waitFor()
    expect(await page.getByText("1 selected").count()).toBe(0)
    expect(await page.getByLabel("Search contacts").inputValue()).toBe("p00")
  }))

test("a job is shown with its progress after a reload and on other pages", () =>
  withContacts(2, async (page) => {
    let answer: Record<string, unknown> | null = {
      status: "processing",
      total: 200,
      succeeded: 90,
      failed: 0,
      progress: 45,
    }
    await page.route("**/contacts/bulk/*", async (route) => {
      const real = await (await route.fetch()).json()
      await route.fulfill({ json: { ...real, ...answer } })
    })
    await tick(page, "p001@example.com").click()
    await page.getByRole("button", { name: "Unsubscribe" }).click()
    await job(page).getByText("Unsubscribing 200 contacts").waitFor()
    await page.getByRole("link", { name: "Templates" }).click()
    await job(page).getByText("90 of 200").waitFor()
    await page.reload()
    await job(page).getByText("90 of 200").waitFor()
    expect(await job(page).getByRole("progressbar").getAttribute("aria-valuenow")).toBe("45")
    answer = { failed: 1 }
    await job(page).getByText("1 contact no longer existed").waitFor()
    await job(page).getByRole("button", { name: "Dismiss" }).click()
    await page.reload()
    await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor()
    expect(await job(page).getByText("unsubscribed").count()).toBe(0)
  }))

test("a job that could not be started is reported, and the selection stays", () =>
  withContacts(
    2,
    async (page) => {
      await page.route("**/contacts/bulk-*", (route) => route.fulfill({ status: 500, body: "{}" }))
      await tick(page, "p001@example.com").click()
      await page.getByRole("button", { name: "Unsubscribe" }).click()
      await page.getByRole("alert").filter({ hasText: "Not started" }).waitFor()
      await page.getByText("1 selected").waitFor()
    },
    /500/,
  ))
