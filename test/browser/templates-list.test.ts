import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { arrivalMs } from "../../src/dashboard/context/deletions.ts"
import { until } from "../harness/store.ts"
import { callsTo } from "./calls.ts"
import { pathOf, visit, withBrowser } from "./harness.ts"

withBrowser()

const path = "/app/templates"
const names = (page: Page) => page.locator("[data-row]").allTextContents()

test("the page without templates explains them, and the first one is made from a starter", () =>
  visit({ path, allowed: /422/ }, async ({ page, server }) => {
    await page.getByRole("heading", { name: "Write it once, send it often" }).waitFor()
    await page.getByRole("button", { name: "New template" }).click()
    const dialog = page.getByRole("dialog", { name: "New template" })
    await dialog.getByRole("button", { name: "Create template" }).click()
    await dialog.getByText("Give it a name.").waitFor()
    await dialog.getByLabel("Name", { exact: true }).fill("Spring letter")
    await dialog.getByLabel("From", { exact: true }).fill("no address")
    await dialog.getByLabel("Type").selectOption("MARKETING")
    await dialog.getByRole("radio", { name: /Newsletter/ }).press("Space")
    await dialog.getByRole("button", { name: "Create template" }).click()
    await dialog.getByText("This is not an email address.").waitFor()
    await dialog.getByLabel("From", { exact: true }).fill("news@shop.test")
    await dialog.getByLabel("Sender name").fill("Acme")
    await dialog.getByRole("button", { name: "Create template" }).click()
    await page.frameLocator("iframe").getByRole("heading", { name: "What is new this month" }).waitFor()
    const [made] = (await callsTo(server).get("/templates")).data
    expect(made).toMatchObject({ name: "Spring letter", from: "news@shop.test", fromName: "Acme", type: "MARKETING" })
    expect(pathOf(page)).toBe(`${path}/${made.id}`)
    expect(await page.title()).toBe("Spring letter · Mailstead")
  }))

test("search, type and order filter and sort the list, and are in the URL", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate } = callsTo(server)
    await addTemplate({ name: "Welcome", subject: "Hello", type: "MARKETING" })
    await addTemplate({ name: "Receipt", description: "For the shop" })
    await addTemplate({ name: "Alert", subject: "The SHOP is down" })
    await page.goto(server.url + path)
    await page.getByText("3 templates").waitFor()
    expect(await names(page)).toEqual(["Alert", "Receipt", "Welcome"])
    await page.getByLabel("Search templates").fill("shop")
    await page.getByText("2 found").waitFor()
    expect((await names(page)).sort()).toEqual(["Alert", "Receipt"])
    await page.getByLabel("Search templates").fill("")
    await page.getByText("3 templates").waitFor()
    await page.getByRole("button", { name: "Name" }).click()
    await page.locator("th[aria-sort=ascending]").waitFor()
    await page.getByRole("button", { name: "Name" }).click()
    await page.locator("th[aria-sort=descending]").waitFor()
    await page.waitForFunction(() => document.querySelector("[data-row]")?.textContent === "Welcome")
    await page.getByLabel("Type").selectOption("MARKETING")
    await page.getByText("1 found").waitFor()
    expect(await names(page)).toEqual(["Welcome"])
    await page.reload()
    await page.getByText("1 found").waitFor()
    expect(new URL(page.url()).search).toBe("?type=MARKETING&sort=name")
    await page.getByLabel("Search templates").fill("nothing")
    await page.getByRole("button", { name: "Show all templates" }).click()
    await page.getByText("3 templates").waitFor()
  }))

test("the list is paged", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate } = callsTo(server)
    for (let number = 10; number < 33; number++) await addTemplate({ name: `Letter ${number}` })
    await page.goto(`${server.url + path}?sort=name&dir=asc`)
    await page.getByText("1 to 20 of 23").waitFor()
    expect(await page.getByRole("button", { name: "Previous page" }).isDisabled()).toBe(true)
    await page.getByRole("button", { name: "Next page" }).click()
    await page.getByText("21 to 23 of 23").waitFor()
    expect(await names(page)).toEqual(["Letter 30", "Letter 31", "Letter 32"])
    await page.keyboard.press("[")
    await page.getByText("1 to 20 of 23").waitFor()
    await page.goto(`${server.url + path}?page=9`)
    await page.getByText("None of 23").waitFor()
    await page.getByRole("button", { name: "Previous page" }).click()
    await page.getByText("21 to 23 of 23").waitFor()
    await page.goBack()
    await page.getByRole("button", { name: "Back to the first" }).click()
    await page.getByText("1 to 20 of 23").waitFor()
  }))

test("the keyboard moves through the list and opens", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate } = callsTo(server)
    for (const name of ["One", "Two"]) await addTemplate({ name })
    await page.goto(`${server.url + path}?sort=name&dir=asc`)
    await page.getByRole("link", { name: "Two" }).waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("o")
    await page.waitForFunction(() => document.title === "Two · Mailstead")
    await page.waitForFunction(() => document.activeElement?.tagName === "MAIN")
  }))

test("a template is duplicated and opened, and its deletion can be undone", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate, get } = callsTo(server)
    await addTemplate({ name: "Receipt" })
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Actions for Receipt" }).click()
    await page.getByRole("menuitem", { name: "Duplicate" }).click()
    await page.waitForFunction(() => document.title === "Receipt (Copy) · Mailstead")
    await page.getByRole("button", { name: "All templates" }).click()
    await page.getByText("2 templates").waitFor()
    await page.getByRole("button", { name: "Actions for Receipt (Copy)" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByText("1 template", { exact: true }).waitFor()
    await page.keyboard.press("z")
    await page.getByText("2 templates").waitFor()
    expect((await get("/templates")).total).toBe(2)
    await page.getByRole("button", { name: "Actions for Receipt (Copy)" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByText("1 template", { exact: true }).waitFor()
    await page.reload()
    await page.getByText("1 template", { exact: true }).waitFor()
    await until(async () => (await get("/templates")).total === 1)
    expect((await get("/templates")).data[0].name).toBe("Receipt")
  }))

test("a template whose deletion was refused after the page was left is shown again", () =>
  visit({ path: null, alone: true }, async ({ page, server }) => {
    const { addTemplate, post } = callsTo(server)
    const { id: templateId } = await addTemplate({ name: "Receipt" })
    await page.clock.install()
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Actions for Receipt" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByRole("link", { name: "Receipt" }).waitFor({ state: "detached" })
    const { id } = await post("/workflows", { name: "Onboarding", eventName: "signup" })
    await post(`/workflows/${id}/steps`, { type: "SEND_EMAIL", name: "Mail", templateId, config: {} })
    await page.reload()
    await page.getByRole("heading", { name: "Write it once, send it often" }).waitFor()
    await page.clock.fastForward(arrivalMs)
    await page.getByRole("link", { name: "Receipt" }).waitFor()
  }))

test("a template used by a workflow shows that before deletion and is not deleted", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { addTemplate } = callsTo(server)
    await addTemplate({ name: "Receipt" })
    const step = { workflowId: "w", workflowName: "Onboarding", stepId: "s", stepName: "Mail" }
    await page.route("**/templates/*/usage", (route) =>
      route.fulfill({ json: { campaigns: [], workflowSteps: [step], emailsSent: 3 } }),
    )
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Actions for Receipt" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByRole("alert").filter({ hasText: "Receipt is used by the workflow Onboarding" }).waitFor()
    await page.getByRole("link", { name: "Receipt" }).waitFor()
  }))
