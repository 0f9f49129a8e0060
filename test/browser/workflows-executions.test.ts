import { expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { loaded, moveTo, visit, withBrowser } from "./harness.ts"
import type { TestServer } from "./sandbox-server.ts"
import { addWelcome } from "./workflows-seed.ts"

withBrowser()

const ada = { email: "ada@acme.test", event: "signup", data: { source: "ads" } }

test("an execution is shown as a time line, and cancelled", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { calls, path } = await addWelcome(server)
    await calls.post("/events/track", ada)
    await page.goto(`${server.url}${path}/executions`)
    await page.getByRole("button", { name: "ada@acme.test" }).click()
    const panel = page.getByRole("article", { name: "Execution" })
    await panel.getByRole("listitem").filter({ hasText: "Two days" }).getByText("Waits").waitFor()
    await panel.getByRole("link", { name: "Open the mail" }).waitFor()
    await panel.getByText("Data of the event").click()
    await panel.getByText('"source": "ads"').waitFor()
    await panel.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel it" }).click()
    await panel.getByText("By hand").waitFor()
    await page.getByLabel("Status").selectOption("WAITING")
    await page.getByText("None is like that.").waitFor()
    await page.getByLabel("Status").selectOption("CANCELLED")
    await page.getByRole("button", { name: "ada@acme.test" }).waitFor()
  }))

test("a workflow is started by hand for a contact, whose page shows it; all executions are cancelled", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { calls, path } = await addWelcome(server)
    await calls.post("/contacts", { email: "bob@acme.test" })
    await page.goto(`${server.url}${path}/executions`)
    await page.getByText("Nobody has started it yet.").waitFor()
    await page.getByRole("button", { name: "Start for a contact" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Find a contact").fill("bob")
    await dialog.getByLabel("Find a contact").press("Enter")
    await dialog.getByRole("button", { name: "bob@acme.test", pressed: true }).waitFor()
    await dialog.getByLabel("Data of the event").fill('{ "code": 7 }')
    await dialog.getByRole("button", { name: "Start" }).click()
    const panel = page.getByRole("article", { name: "Execution" })
    await panel.getByRole("link", { name: "bob@acme.test" }).click()
    await page.getByRole("tab", { name: "Workflows" }).click()
    await page
      .getByRole("list", { name: "Workflows" })
      .getByRole("link", { name: /Welcome/ })
      .click()
    await panel.waitFor()
    await page.getByRole("button", { name: "Cancel all" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel all" }).click()
    await page.getByText("1 execution cancelled").waitFor()
    const { data } = await calls.get(`${path.replace("/app", "")}/executions`)
    expect(data.map(({ status, context }: { status: string; context: unknown }) => ({ status, context }))).toEqual([
      { status: "CANCELLED", context: { code: 7 } },
    ])
  }))

test("the steps show how many stand on them, and how many went through each exit", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { calls, path } = await addWelcome(server)
    await calls.post("/events/track", ada)
    await calls.post("/events/track", { ...ada, email: "bob@acme.test" })
    await page.goto(server.url + path)
    await page.getByText("7 days", { exact: true }).click()
    await page.locator("small").filter({ hasText: /^2$/ }).first().waitFor()
    await page.getByRole("button", { name: "2 on this step: show them" }).click()
    await page.getByRole("button", { name: /^On “Two days”/ }).waitFor()
    await page.getByRole("button", { name: "ada@acme.test" }).waitFor()
    expect(await page.getByRole("table", { name: "Executions" }).getByRole("row").count()).toBe(3)
  }))

test("a simulation of an unsaved graph lights up the way and shows the mail, and stores nothing", () =>
  visit({ path: null, viewport: { width: 1440, height: 900 } }, async ({ page, server }) => {
    const { calls, path } = await addWelcome(server, false)
    await page.goto(server.url + path)
    await page.locator("button[data-tone][data-stop]").filter({ hasText: "Two days" }).click()
    await page.getByLabel("Wait", { exact: true }).fill("5")
    await page.getByRole("button", { name: "Simulate" }).click()
    const panel = page.getByRole("complementary", { name: "Simulation" })
    await panel.getByText("Made up").click()
    await panel.getByLabel("Fields").fill('{ "plan": "pro" }')
    await panel.getByRole("button", { name: "Run it" }).click()
    const steps = panel.getByRole("list", { name: "Steps of the simulation" })
    await steps
      .getByRole("button", { name: /^Thanks/ })
      .getByText("After 5 d")
      .waitFor()
    expect(await page.locator("[data-trace='passed']").count()).toBe(4)
    expect(await page.locator("[data-trace='ended']").count()).toBe(1)
    await panel.getByRole("button", { name: "Earlier" }).click()
    expect(await page.locator("[data-trace='beside']").count()).toBe(1)
    await panel.getByRole("button", { name: "Mail: Hello from us" }).click()
    await page.frameLocator("iframe[title='Message body']").getByText("Hello friend").waitFor()
    expect((await calls.get(`${path.replace("/app", "")}/executions`)).total).toBe(0)
    expect((await calls.get("/contacts")).total).toBe(0)
    // The settings of a step take the place of the simulation.
    await page.keyboard.press("Escape")
    await page.locator("button[data-tone][data-stop]").filter({ hasText: "5 days" }).click()
    expect(await page.getByLabel("Wait", { exact: true }).inputValue()).toBe("5")
    expect(await panel.count()).toBe(0)
  }))

test("a name without blanks, as long as it may be, leaves the executions in view on a phone", () =>
  visit({ path: null, viewport: { width: 360, height: 780 } }, async ({ page, server }) => {
    const { calls, path } = await addWelcome(server)
    await calls.patch(path.replace("/app", ""), { name: "W".repeat(255) })
    await page.goto(`${server.url}${path}/executions`)
    await page.getByText("Nobody has started it yet.").waitFor()
    const box = await page.getByRole("heading", { level: 1 }).boundingBox()
    expect(box?.height).toBeLessThan(100)
  }))

test("what a link leads to and is not there is told, and no longer marked as loading", () =>
  visit({ path: null, allowed: /404/ }, async ({ page, server }) => {
    const { path } = await addWelcome(server)
    await page.goto(`${server.url}/app`)
    await loaded(page)
    await moveTo(page, `${path}/executions/${Bun.randomUUIDv7()}`)
    await page.getByText("This execution is not here.", { exact: false }).waitFor()
    await moveTo(page, `/app/contacts/${Bun.randomUUIDv7()}`)
    await page.getByText("This contact is not here.", { exact: false }).waitFor()
    expect(await page.locator("[aria-busy=true]").count()).toBe(0)
  }))

/** A workflow whose one step has two ways out, begun for a contact who goes the first. */
async function withPlans(server: TestServer, step: string) {
  const calls = callsTo(server)
  const { id } = await calls.post("/workflows", { name: "Plans", eventName: "signup" })
  const branches = [{ id: "2", name: "Paying", operator: "equals", value: "pro" }]
  const config = { mode: "multi", field: "data.plan", branches }
  await calls.post(`/workflows/${id}/steps`, { type: "CONDITION", name: step, config })
  await calls.patch(`/workflows/${id}`, { enabled: true })
  await calls.post("/contacts", { email: "ada@acme.test", data: { plan: "pro" } })
  const { id: contactId } = await calls.contact("ada@acme.test")
  const { id: execution } = await calls.post(`/workflows/${id}/executions`, { contactId })
  return { path: `/app/workflows/${id}`, execution: `/app/workflows/${id}/executions/${execution}` }
}

/** Simulates the workflow in view for the contact. */
async function simulate(page: Page) {
  await page.getByRole("button", { name: "Simulate" }).click()
  const panel = page.getByRole("complementary", { name: "Simulation" })
  await panel.getByRole("button", { name: "ada@acme.test" }).click()
  await panel.getByRole("button", { name: "Run it" }).click()
  return panel
}

test("a way out of several is named as in the editor, in an execution and in a simulation", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { path, execution } = await withPlans(server, "Which plan?")
    await page.goto(server.url + execution)
    await page.getByText("Went the way “Paying”").waitFor()
    await moveTo(page, path)
    await (await simulate(page)).getByText("At once · Paying").waitFor()
  }))

test("the name of a step without blanks makes neither an execution nor a simulation wider than its panel", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { path, execution } = await withPlans(server, "W".repeat(255))
    const wider = (it: Element) =>
      [...it.querySelectorAll("*")].filter((one) => one.scrollWidth > it.clientWidth).length
    const fits = async (panel: Locator) => {
      await panel.getByText("W".repeat(255)).waitFor()
      expect(await panel.evaluate(wider)).toBe(0)
    }
    await page.goto(server.url + execution)
    await fits(page.getByRole("article", { name: "Execution" }))
    await moveTo(page, path)
    await fits(await simulate(page))
  }))
