import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { pathOf, visit, withBrowser } from "./harness.ts"
import type { TestServer } from "./sandbox-server.ts"

withBrowser()

const wide = { viewport: { width: 1440, height: 900 } }

async function addTemplates(server: TestServer) {
  const calls = callsTo(server)
  await calls.addTemplate({ name: "Hello", subject: "Hello from us" })
  await calls.addTemplate({ name: "First steps", subject: "The first steps" })
  return calls
}

const step = (page: Page, name: string) =>
  page.locator("button[data-tone][data-stop]").filter({ has: page.getByText(name, { exact: true }) })
const plus = (page: Page, name: string) => page.getByRole("button", { name: `Add a step after ${name}`, exact: true })
const choose = async (page: Page, name: string) => page.getByRole("menuitem", { name: new RegExp(`^${name}`) }).click()
const saved = (page: Page) =>
  page
    .getByRole("status")
    .filter({ hasText: /^Saved/ })
    .waitFor({ state: "attached" })

/** The stored types of the steps in the order of their transitions, and what the mails and waits are. */
async function storedWay(server: TestServer): Promise<readonly string[]> {
  const calls = callsTo(server)
  const { data } = await calls.get("/workflows")
  const { steps, transitions } = await calls.get(`/workflows/${data[0].id}`)
  const way: string[] = []
  for (let at = steps.find((one: { type: string }) => one.type === "TRIGGER"); at; ) {
    way.push(`${at.type} ${at.template?.name ?? at.config.amount ?? at.config.eventName ?? ""}`.trim())
    const next = transitions.find((one: { fromStepId: string; branch: string | null }) => one.fromStepId === at.id)
    at = steps.find((one: { id: string }) => one.id === next?.toStepId)
  }
  return way
}

const series = ["TRIGGER signup", "SEND_EMAIL Hello", "DELAY 2", "SEND_EMAIL First steps"]

test("the welcome series is built with the mouse, enabled, and sends its first mail", () =>
  visit({ path: "/app/workflows", ...wide }, async ({ page, server }) => {
    const calls = await addTemplates(server)
    await page.getByRole("button", { name: "New workflow" }).first().click()
    await page.getByLabel("Name").fill("Welcome")
    await page.getByRole("combobox", { name: "Starts with the event" }).fill("signup")
    await page.getByRole("button", { name: "Create workflow" }).click()
    await plus(page, "Trigger").click()
    await choose(page, "Send an email")
    await page.getByRole("option", { name: "Hello" }).click()
    await page
      .getByRole("complementary", { name: "Steps to add" })
      .getByRole("button", { name: /^Wait a while/ })
      .click()
    await page.getByLabel("Wait", { exact: true }).fill("2")
    const drag = page
      .getByRole("complementary", { name: "Steps to add" })
      .getByRole("button", { name: /^Send an email/ })
    await drag.dragTo(plus(page, "Wait a while"))
    await page.getByRole("option", { name: "First steps" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await saved(page)
    expect(await storedWay(server)).toEqual(series)
    await page.getByRole("switch", { name: "Enabled" }).click({ force: true })
    await page.getByText("On", { exact: true }).waitFor()
    await calls.post("/events/track", { email: "new@acme.test", event: "signup" })
    await page.getByRole("button", { name: "1 on this step: show them" }).click()
    await page.getByRole("button", { name: "new@acme.test" }).click()
    await page.getByRole("link", { name: "Open the mail" }).click()
    await page.getByRole("heading", { name: "Hello from us" }).waitFor()
  }))

test("the welcome series is built with the keyboard alone", () =>
  visit({ path: "/app/workflows" }, async ({ page, server }) => {
    await addTemplates(server)
    const keys = async (...pressed: string[]) => {
      for (const key of pressed) await page.keyboard.press(key)
    }
    await page.getByRole("heading", { name: "Workflows", level: 1 }).waitFor()
    await page.getByRole("button", { name: "New workflow" }).first().focus()
    await keys("Enter")
    await page.getByRole("dialog").getByLabel("Name").waitFor()
    await page.waitForFunction(() => document.activeElement?.matches("[data-autofocus]"))
    await page.keyboard.type("Welcome")
    await keys("Tab")
    await page.keyboard.type("signup")
    await keys("Enter")
    await step(page, "Trigger").focus()
    await keys("ArrowDown", "Enter", "Escape", "Enter", "ArrowDown", "Enter")
    await focused(page, "Template")
    await page.keyboard.type("Hello")
    await keys("ArrowDown")
    await marked(page, "Hello")
    await keys("Enter", "Escape", "ArrowDown", "Enter", "ArrowDown", "ArrowDown", "Enter", "Control+a")
    await focused(page, "Wait")
    await page.keyboard.type("2")
    await keys("Escape", "ArrowDown", "Enter", "ArrowDown", "Enter")
    await focused(page, "Template")
    await page.keyboard.type("First")
    await keys("ArrowDown")
    await marked(page, "First steps")
    await keys("Enter", "Control+s")
    await saved(page)
    expect(await storedWay(server)).toEqual(series)
  }))

/** Waits until Enter would choose this option. */
const marked = (page: Page, option: string) =>
  page.getByRole("option", { name: option }).and(page.locator("[data-combobox-selected]")).waitFor()

const focused = (page: Page, label: string) =>
  page.waitForFunction((name) => {
    const { activeElement } = document
    const id = activeElement?.id
    return document.querySelector(`label[for="${id}"]`)?.textContent === name
  }, label)

test.each([1280, 1000, 390])("the bar cuts no label of its buttons, and stays within a window of %d pixels", (width) =>
  visit({ path: null, viewport: { width, height: 800 } }, async ({ page, server }) => {
    const calls = await addTemplates(server)
    const { id } = await calls.post("/workflows", { name: "Welcome series", eventName: "signup" })
    await page.goto(`${server.url}/app/workflows/${id}`)
    await page.getByRole("button", { name: "1 hint" }).waitFor()
    const bar = page.locator("header").filter({ has: page.getByRole("button", { name: "Simulate" }) })
    const cut = await bar
      .locator("button *")
      .evaluateAll((parts) =>
        parts
          .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
          .map((part) => part.outerHTML),
      )
    expect(cut).toEqual([])
    const end = await bar
      .getByRole("button", { name: "Save", exact: true })
      .evaluate((one) => one.getBoundingClientRect().right)
    expect(end).toBeLessThanOrEqual(width - 8)
    const name = await bar.getByRole("textbox", { name: "Name" }).evaluate((one) => one.clientWidth)
    expect(name).toBeGreaterThanOrEqual(60)
  }),
)

test("steps are removed, undone, copied and pasted", () =>
  visit({ path: null, ...wide }, async ({ page, server }) => {
    const calls = await addTemplates(server)
    const { id } = await calls.post("/workflows", { name: "Rests", eventName: "signup" })
    await calls.post(`/workflows/${id}/steps`, { type: "DELAY", name: "One day", config: { amount: 1, unit: "days" } })
    await calls.post(`/workflows/${id}/steps`, { type: "DELAY", name: "Two days", config: { amount: 2, unit: "days" } })
    await page.goto(`${server.url}/app/workflows/${id}`)
    await step(page, "One day").focus()
    await page.keyboard.press("Delete")
    await step(page, "One day").waitFor({ state: "detached" })
    await page.keyboard.press("Control+z")
    await step(page, "One day").waitFor()
    await step(page, "One day").click()
    await step(page, "Two days").click({ modifiers: ["Shift"] })
    await page.keyboard.press("Control+c")
    await plus(page, "Two days").focus()
    await page.keyboard.press("Control+v")
    await page.waitForFunction(() => document.querySelectorAll("[data-tone='time'][data-stop]").length === 4)
    await page.keyboard.press("Control+s")
    await saved(page)
    expect(await storedWay(server)).toEqual(["TRIGGER signup", "DELAY 1", "DELAY 2", "DELAY 1", "DELAY 2"])
  }))

test("a branch keeps one of its ways when it is deleted", () =>
  visit({ path: null, ...wide }, async ({ page, server }) => {
    const calls = await addTemplates(server)
    const { id, steps } = await calls.post("/workflows", { name: "Plans", eventName: "signup" })
    const add = (type: string, name: string, config: unknown) =>
      calls.post(`/workflows/${id}/steps`, { type, name, config, autoConnect: false })
    const lead = (fromStepId: string, toStepId: string, branch?: string) =>
      calls.post(`/workflows/${id}/transitions`, { fromStepId, toStepId, branch })
    const plan = await add("CONDITION", "Pro?", { field: "data.plan", operator: "equals", value: "pro" })
    const yes = await add("DELAY", "Short", { amount: 1, unit: "hours" })
    const no = await add("DELAY", "Long", { amount: 9, unit: "days" })
    await lead(steps[0].id, plan.id)
    await lead(plan.id, yes.id, "yes")
    await lead(plan.id, no.id, "no")
    await page.goto(`${server.url}/app/workflows/${id}`)
    await step(page, "Pro?").focus()
    await page.keyboard.press("Delete")
    await page.getByRole("radio", { name: "Keep the way “No”: Long" }).check()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await step(page, "Short").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Save" }).click()
    await saved(page)
    expect(await storedWay(server)).toEqual(["TRIGGER signup", "DELAY 9"])
    expect(pathOf(page)).toBe(`/app/workflows/${id}`)
  }))
