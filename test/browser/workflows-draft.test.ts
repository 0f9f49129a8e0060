import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { visit, withBrowser } from "./harness.ts"
import type { TestServer } from "./sandbox-server.ts"
import { addWelcome } from "./workflows-seed.ts"

withBrowser()

const wide = { viewport: { width: 1440, height: 900 } }
const step = (page: Page, name: string) =>
  page.locator("button[data-tone][data-stop]").filter({ has: page.getByText(name, { exact: true }) })
const saved = (page: Page) =>
  page
    .getByRole("status")
    .filter({ hasText: /^Saved/ })
    .waitFor({ state: "attached" })

test("while people are in a workflow, a change is a draft; publishing asks where the people of a removed step go", () =>
  visit({ path: null, ...wide, allowed: /409/ }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server)
    await calls.post("/events/track", { email: "ada@acme.test", event: "signup" })
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "1 on this step: show them" }).waitFor()
    await step(page, "Two days").focus()
    await page.keyboard.press("Delete")
    const question = page.getByRole("dialog")
    await question.getByText("1 contact stands on it now.").waitFor()
    await question.getByRole("button", { name: "Delete", exact: true }).click()
    await page.keyboard.press("Control+s")
    await page.getByRole("note").filter({ hasText: "This is a draft" }).waitFor()
    expect((await calls.get(`/workflows/${id}`)).steps).toHaveLength(5)
    await page.getByRole("button", { name: "Publish…" }).click()
    await page.getByRole("dialog").getByLabel("1 contact on “Two days”").selectOption({ label: "Leave the workflow" })
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click()
    await page.getByRole("note").filter({ hasText: "This is a draft" }).waitFor({ state: "detached" })
    expect((await calls.get(`/workflows/${id}`)).steps).toHaveLength(4)
    const { data } = await calls.get(`/workflows/${id}/executions`)
    expect(data[0]).toMatchObject({ status: "EXITED", exitReason: "step_removed" })
  }))

/** Adds a step to a workflow that a contact is in, and saves it, which makes a draft. */
async function saveDraft(page: Page, server: TestServer) {
  const { calls, id, path } = await addWelcome(server)
  await calls.post("/events/track", { email: "ada@acme.test", event: "signup" })
  await page.goto(server.url + path)
  await page.getByRole("button", { name: "1 on this step: show them" }).waitFor()
  await page.getByRole("button", { name: "Add a step after Greeting", exact: true }).click()
  await page.getByRole("menuitem", { name: /^Wait a while/ }).click()
  await page.keyboard.press("Control+s")
  const notice = page.getByRole("note").filter({ hasText: "This is a draft" })
  await notice.waitFor()
  return { calls, id, notice }
}

test("what is not saved yet of a draft is saved and asked about when it is published", () =>
  visit({ path: null, ...wide, allowed: /409/ }, async ({ page, server }) => {
    const { calls, id, notice } = await saveDraft(page, server)
    await step(page, "Two days").focus()
    await page.keyboard.press("Delete")
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Delete", exact: true }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Publish…" }).click()
    await dialog.getByLabel("1 contact on “Two days”").selectOption({ label: "Leave the workflow" })
    await dialog.getByRole("button", { name: "Publish" }).click()
    await notice.waitFor({ state: "detached" })
    const names = (await calls.get(`/workflows/${id}`)).steps.map(({ name }: { name: string }) => name)
    expect([names.includes("Two days"), names.includes("Wait a while")]).toEqual([false, true])
  }))

test("a draft that somebody else has discarded is gone from the page once it could not be published", () =>
  visit({ path: null, ...wide, allowed: /40[49]/ }, async ({ page, server }) => {
    const { calls, id, notice } = await saveDraft(page, server)
    await page.getByRole("button", { name: "Publish…" }).click()
    await page.getByRole("dialog").waitFor()
    await calls.post(`/workflows/${id}/draft/discard`, {})
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click()
    await page.getByText("The draft is gone: it was published, discarded or deleted elsewhere.").waitFor()
    await notice.waitFor({ state: "detached" })
  }))

test("a graph with faults is kept as a draft, and is not enabled before it is published", () =>
  visit({ path: null, ...wide }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server, false)
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Add a step after Greeting", exact: true }).click()
    await page.getByRole("menuitem", { name: /^Send an email/ }).click()
    await step(page, "Send an email").getByText("Choose a template.").waitFor()
    await page.keyboard.press("Control+s")
    await saved(page)
    await page.getByRole("note").filter({ hasText: "1 thing is missing" }).waitFor()
    expect((await calls.get(`/workflows/${id}`)).steps).toHaveLength(5)
    await page.getByRole("switch", { name: "Enabled" }).click({ force: true })
    await page.getByRole("list", { name: "What is missing" }).getByRole("button").click()
    await page.getByRole("option", { name: "Hello" }).click()
    await page.keyboard.press("Control+s")
    await page.getByRole("button", { name: "Publish…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click()
    await page.getByRole("note").filter({ hasText: "This is a draft" }).waitFor({ state: "detached" })
    expect((await calls.get(`/workflows/${id}`)).steps).toHaveLength(6)
  }))

test("unsaved steps survive a reload, and leaving them asks", () =>
  visit({ path: null, ...wide }, async ({ page, server }) => {
    const { path } = await addWelcome(server, false)
    await page.goto(server.url + path)
    await page.getByRole("button", { name: "Add a step after Greeting", exact: true }).click()
    await page.getByRole("menuitem", { name: /^Wait a while/ }).click()
    await page.getByText("Not saved").waitFor({ state: "attached" })
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("mailstead.draft.")))
    await page.reload()
    await step(page, "Wait a while").waitFor()
    await page.getByRole("link", { name: "Contacts" }).click()
    await page.getByRole("dialog").getByText("Leave without saving?").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click()
    await step(page, "Wait a while").waitFor()
  }))

test("a workflow that was saved elsewhere is not overwritten without asking", () =>
  visit({ path: null, ...wide }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server, false)
    await page.goto(server.url + path)
    await step(page, "Two days").click()
    await page.getByLabel("Wait", { exact: true }).fill("4")
    await calls.post(`/workflows/${id}/steps`, { type: "DELAY", name: "New", config: { amount: 1, unit: "days" } })
    await page.keyboard.press("Control+s")
    await page.getByRole("dialog").getByRole("button", { name: "Load it" }).click()
    await step(page, "New").waitFor()
    expect(await step(page, "Two days").textContent()).toContain("2 days")
  }))

test("100 steps: adding one in the middle leaves the trigger where it is, and the whole graph shows at once", () =>
  visit({ path: null, ...wide }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server, false)
    const { steps, transitions, version } = await calls.get(`/workflows/${id}`)
    const more = Array.from({ length: 95 }, (_, at) => ({
      id: Bun.randomUUIDv7(),
      type: "DELAY",
      name: `Rest ${at}`,
      position: { x: 0, y: 0 },
      config: { amount: 1, unit: "days" },
      templateId: null,
    }))
    const ids = [steps.find(({ name }: { name: string }) => name === "Pro?").id, ...more.map((one) => one.id)]
    const led = more.map((one, at) => ({ fromStepId: ids[at], toStepId: one.id, branch: at === 0 ? "no" : null }))
    await calls.put(`/workflows/${id}/graph`, {
      steps: [...steps, ...more],
      transitions: [...transitions, ...led],
      version,
    })
    await page.goto(server.url + path)
    await step(page, "Trigger").waitFor()
    expect(await page.locator("button[data-tone][data-stop]").count()).toBe(100)
    await page.getByRole("img", { name: "Overview" }).or(page.getByLabel("Overview")).first().waitFor()
    const before = await step(page, "Trigger").boundingBox()
    await page.getByRole("button", { name: "Add a step after Greeting", exact: true }).click()
    await page.getByRole("menuitem", { name: /^Branch/ }).click()
    await step(page, "Branch").waitFor()
    await page.keyboard.press("Escape")
    expect(await step(page, "Trigger").boundingBox()).toEqual(before)
  }))

test("a draft of a deleted workflow is saved as a new one, which is off, with its steps", () =>
  visit({ path: null, ...wide, allowed: /404/ }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server)
    await page.goto(server.url + path)
    await step(page, "Two days").click()
    await page.getByLabel("Wait", { exact: true }).fill("4")
    await calls.remove(`/workflows/${id}`)
    await page.keyboard.press("Control+s")
    await page.getByRole("status").filter({ hasText: "Deleted elsewhere" }).waitFor({ state: "attached" })
    expect(await page.getByRole("switch", { name: "Enabled" }).isDisabled()).toBe(true)
    await page.getByRole("button", { name: "Save as a new one" }).click()
    await saved(page)
    const [listed] = (await calls.get("/workflows")).data
    expect(listed).toMatchObject({ name: "Welcome", enabled: false, triggerConfig: { eventName: "signup" } })
    await page.waitForURL((url) => url.pathname.endsWith(listed.id))
    const { steps, transitions } = await calls.get(`/workflows/${listed.id}`)
    const names = new Map(steps.map((one: { id: string; name: string }) => [one.id, one.name]))
    expect(steps).toContainEqual(
      expect.objectContaining({ name: "Two days", config: expect.objectContaining({ amount: 4 }) }),
    )
    expect(
      transitions.map((one: { fromStepId: string; toStepId: string; branch: string | null }) =>
        [names.get(one.fromStepId), one.branch, names.get(one.toStepId)].join(" "),
      ),
    ).toEqual(["Trigger  Greeting", "Greeting  Two days", "Two days  Pro?", "Pro? yes Thanks"])
    await page.getByRole("switch", { name: "Enabled" }).click({ force: true })
    await page.getByText("On", { exact: true }).waitFor()
  }))

test("nothing is left of a new workflow in place of a deleted one while its steps are refused", () =>
  visit({ path: null, ...wide, allowed: /404|422/ }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server, false)
    await page.goto(server.url + path)
    await step(page, "Two days").click()
    await page.getByLabel("Wait", { exact: true }).fill("4")
    await calls.remove(`/workflows/${id}`)
    const [{ id: templateId }] = (await calls.get("/templates")).data
    await calls.remove(`/templates/${templateId}`)
    await page.keyboard.press("Control+s")
    await page.getByRole("button", { name: "Save as a new one" }).click()
    await page.getByRole("status").filter({ hasText: "Greeting: " }).waitFor({ state: "attached" })
    expect((await calls.get("/workflows")).total).toBe(0)
  }))

test("the page of a workflow says that it was deleted elsewhere once it is looked at again", () =>
  visit({ path: null, ...wide, allowed: /404/, alone: true }, async ({ page, server }) => {
    await page.clock.install()
    const { calls, id, path } = await addWelcome(server, false)
    await page.goto(server.url + path)
    await step(page, "Two days").waitFor()
    await calls.remove(`/workflows/${id}`)
    await page.clock.fastForward("00:06")
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))
    await page.getByRole("button", { name: "Save as a new one" }).waitFor()
  }))
