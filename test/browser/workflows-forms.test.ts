import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { faults } from "./axe.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"
import { addWelcome } from "./workflows-seed.ts"

withBrowser()

const step = (page: Page, name: string) =>
  page.locator("button[data-tone][data-stop]").filter({ has: page.getByText(name, { exact: true }) })

const addAfter = async (page: Page, name: string, kind: RegExp) => {
  await page.getByRole("button", { name: `Add a step after ${name}`, exact: true }).click()
  await page.getByRole("menuitem", { name: kind }).click()
}

const save = async (page: Page) => {
  await page.keyboard.press("Control+s")
  await page.getByText("Not saved").waitFor({ state: "detached" })
}

const act = async (page: Page, name: RegExp) => {
  await page.getByRole("button", { name: "Workflow actions" }).click()
  await page.getByRole("menuitem", { name }).click()
}

test("the forms of steps, templates beyond the first hundred, a copy, and an earlier version", () =>
  visit({ path: null, viewport: { width: 1440, height: 900 } }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server, false)
    for (let n = 1; n <= 100; n++) await calls.addTemplate({ name: `A ${n}` })
    const last = await calls.addTemplate({ name: "Zebra news" })
    const stored = () => calls.get(`/workflows/${id}`)
    const stepNamed = async (name: string) => (await stored()).steps.find((one: { name: string }) => one.name === name)
    await page.goto(server.url + path)

    await step(page, "Greeting").getByText("Hello").waitFor()
    await page.getByRole("button", { name: "Add a step after Greeting", exact: true }).click()
    await page.getByRole("menuitem", { name: /^Call a webhook/ }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole("menuitem", { name: /^Call a webhook/ }).click()
    await page.getByLabel("Address", { exact: true }).fill("https://crm.example.com/{{plan}}")
    await page.getByLabel("Method", { exact: true }).selectOption("PUT")
    await page.getByRole("button", { name: "Add a header" }).click()
    await page.getByLabel("Name of header 1").fill("Authorization")
    await page.getByLabel("Value of header 1").fill("Bearer abc")
    await page.getByLabel("Body", { exact: true }).fill('{ "email": "{{email}}" }')

    await addAfter(page, "Greeting", /^Update the contact/)
    await page.getByRole("button", { name: "Add a field" }).click()
    await page.getByRole("combobox", { name: "Name of the field" }).fill("stage")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByLabel("stage", { exact: true }).fill("{{event.stage}}")
    await page.getByLabel("Subscription").selectOption("Subscribe")

    await step(page, "Greeting").click()
    await page.getByRole("combobox", { name: "Template", exact: true }).fill("zebra")
    await page.getByRole("option", { name: "Zebra news" }).click()
    await step(page, "Greeting").getByText("Zebra news").waitFor()

    // Another trigger and another graph are saved together.
    await step(page, "Trigger").click()
    await page.getByRole("combobox", { name: "Event", exact: true }).fill("joined")
    await save(page)
    expect((await stored()).triggerConfig).toEqual({ eventName: "joined" })
    expect((await stepNamed("Call a webhook")).config).toEqual({
      url: "https://crm.example.com/{{plan}}",
      method: "PUT",
      headers: { Authorization: "Bearer abc" },
      body: '{ "email": "{{email}}" }',
    })
    expect((await stepNamed("Update the contact")).config).toEqual({
      updates: { stage: "{{event.stage}}" },
      subscriptionAction: "subscribe",
    })
    expect((await stepNamed("Greeting")).templateId).toBe(last.id)

    const { steps, transitions } = await stored()
    const { version } = await calls.put(`/workflows/${id}/draft`, { steps: steps.slice(0, 1), transitions: [] })
    await calls.post(`/workflows/${id}/publish`, { version })
    await calls.patch(`/workflows/${id}`, { triggerType: "MANUAL" })
    await page.reload()
    await act(page, /^Earlier versions/)
    await page
      .getByRole("dialog")
      .getByRole("listitem")
      .filter({ hasText: `${steps.length} steps` })
      .getByRole("button", { name: "Take into the draft" })
      .click()
    await page.getByRole("note").filter({ hasText: "This is a draft" }).waitFor()
    await step(page, "Call a webhook").waitFor()
    await step(page, "Greeting").getByText("Zebra news").waitFor()

    await page.getByRole("button", { name: "Publish…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click()
    await page.getByRole("note").filter({ hasText: "This is a draft" }).waitFor({ state: "detached" })
    await act(page, /^Duplicate/)
    await page.getByText("This is the copy: Welcome (Copy)").waitFor()
    const { data } = await calls.get("/workflows")
    const copy = await calls.get(`/workflows/${data[0].id}`)
    expect([copy.name, copy.enabled, copy.triggerType]).toEqual(["Welcome (Copy)", false, "MANUAL"])
    const content = ({ type, name, config }: Record<string, unknown>) => ({ type, name, config })
    expect(copy.steps.map(content)).toEqual(expect.arrayContaining((await stored()).steps.map(content)))
    expect(copy.transitions).toHaveLength(transitions.length)
  }))

test("a name that was saved before its steps were refused is no change of others", () =>
  visit({ path: null, allowed: /422/ }, async ({ page, server }) => {
    const calls = callsTo(server)
    const { id } = await calls.post("/workflows", { name: "Orders", eventName: "bought" })
    await page.goto(`${server.url}/app/workflows/${id}`)
    await page.getByRole("button", { name: "Add a step after Trigger", exact: true }).click()
    await page.getByRole("menuitem", { name: /^Call a webhook/ }).click()
    await page.getByLabel("Address").fill("https://hooks.shop.test/{{id")
    await page.getByLabel("Name", { exact: true }).fill("Our orders")
    const save = page.getByRole("button", { name: "Save", exact: true })
    await save.click()
    await page.getByText("is not a valid template").first().waitFor()
    await page.getByLabel("Address").fill("https://hooks.shop.test/{{id}}")
    await save.click()
    await page
      .getByRole("status")
      .filter({ hasText: /^Saved/ })
      .waitFor({ state: "attached" })
    const { name, steps } = await calls.get(`/workflows/${id}`)
    expect([name, steps.length]).toEqual(["Our orders", 2])
  }))

test("a value that is none yet does not delete the field of contacts", () =>
  visit({ path: null, viewport: { width: 1_440, height: 900 } }, async ({ page, server }) => {
    const calls = callsTo(server)
    const { id } = await calls.post("/workflows", { name: "Orders", eventName: "bought" })
    await page.goto(`${server.url}/app/workflows/${id}`)
    await page.getByRole("button", { name: "Add a step after Trigger", exact: true }).click()
    await page.getByRole("menuitem", { name: /^Update the contact/ }).click()
    const add = async (name: string, type: string, value: string) => {
      await page.getByRole("button", { name: "Add a field" }).click()
      await page.getByRole("combobox", { name: "Name of the field" }).fill(name)
      await page.getByLabel("Type of the field").selectOption({ label: type })
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByLabel(name, { exact: true }).and(page.locator("input")).fill(value)
    }
    await add("plan", "Text", "pro")
    await add("score", "Number", "1O")
    await page.getByText("This is not a number.").waitFor()
    await page.keyboard.press("Control+s")
    await page
      .getByRole("status")
      .filter({ hasText: /^Saved/ })
      .waitFor({ state: "attached" })
    const { steps } = await calls.get(`/workflows/${id}`)
    expect(steps.map(({ config }: { config: { updates?: unknown } }) => config.updates)).toContainEqual({ plan: "pro" })
  }))

test("a refused save says which step is wrong, without a path", () =>
  visit({ path: null, allowed: /422/ }, async ({ page, server }) => {
    const { id } = await callsTo(server).post("/workflows", { name: "Orders", eventName: "bought" })
    await page.goto(`${server.url}/app/workflows/${id}`)
    await page.getByRole("button", { name: "Add a step after Trigger", exact: true }).click()
    await page.getByRole("menuitem", { name: /^Call a webhook/ }).click()
    await page.getByLabel("Address").fill("https://hooks.shop.test/{{id")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page
      .getByText(/^Call a webhook: It is not a valid template/)
      .first()
      .waitFor()
    await page
      .getByText(/^It is not a valid template/)
      .first()
      .waitFor()
    expect(await page.getByText("config.url").count()).toBe(0)
  }))

test.each([1_024, 1_280])("after a refused save the buttons stay within reach at %i pixels", (width) =>
  visit({ path: null, viewport: { width, height: 800 }, allowed: /422/ }, async ({ page, server }) => {
    const { id } = await callsTo(server).post("/workflows", { name: "Order to the shop system", eventName: "bought" })
    await page.goto(`${server.url}/app/workflows/${id}`)
    await page.getByRole("button", { name: "Add a step after Trigger", exact: true }).click()
    await page.getByRole("menuitem", { name: /^Call a webhook/ }).click()
    await page.getByLabel("Address").fill("https://hooks.shop.test/{{id")
    const save = page.getByRole("button", { name: "Save", exact: true })
    await save.click()
    await page.getByText("is not a valid template").first().waitFor()
    for (const control of [save, page.getByRole("switch").first()]) {
      const box = await control.boundingBox()
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    }
  }),
)
