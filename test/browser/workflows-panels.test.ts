import { expect, test } from "bun:test"
import { faults } from "./axe.ts"
import { visit, withBrowser } from "./harness.ts"
import { addWelcome } from "./workflows-seed.ts"

withBrowser()

test("axe finds nothing in the panels of the workflow editor in both colour schemes (WCAG 2.2 AA)", () =>
  visit({ path: null, viewport: { width: 1440, height: 900 } }, async ({ page, server }) => {
    const { path } = await addWelcome(server, false)
    await page.goto(server.url + path)
    const found: string[] = []
    const look = async (what: string) => {
      for (const fault of await faults(page)) found.push(`${what}: ${fault}`)
    }
    for (const name of ["Trigger", "Greeting", "Two days", "Pro?", "Thanks"]) {
      await page
        .locator("button[data-tone][data-stop]")
        .filter({ has: page.getByText(name, { exact: true }) })
        .click()
      await page.getByRole("complementary", { name: /./ }).last().waitFor()
      await page.waitForLoadState("networkidle")
      await look(name)
    }
    await page.getByRole("button", { name: "Simulate" }).click()
    const panel = page.getByRole("complementary", { name: "Simulation" })
    await panel.getByText("Made up").click()
    await panel.getByRole("button", { name: "Run it" }).click()
    await panel.getByRole("list", { name: "Steps of the simulation" }).waitFor()
    await look("the simulation")
    expect(found).toEqual([])
  }))

test("a condition on an awaited event, removed by keyboard, leaves the focus on the button that adds one", () =>
  visit({ path: null, viewport: { width: 1440, height: 900 } }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server, false)
    const wait = { type: "WAIT_FOR_EVENT", name: "Bought", config: { eventName: "buy", timeout: 3_600 } }
    const { id: step } = await calls.post(`/workflows/${id}/steps`, { ...wait, autoConnect: false })
    await page.goto(server.url + path)
    await page.locator(`button[data-stop="${step}"]`).click()
    for (const name of ["Remove condition", "Any data"]) {
      await page.getByRole("button", { name: "Only with certain data" }).press("Enter")
      await page.getByRole("button", { name, exact: true }).press("Enter")
      await page.waitForFunction(() => document.activeElement?.textContent === "Only with certain data")
    }
  }))

test("moving a canvas of 100 steps redraws none of them", () =>
  visit({ path: null, viewport: { width: 1440, height: 900 } }, async ({ page, server }) => {
    const { calls, id, path } = await addWelcome(server, false)
    const { steps, transitions, version } = await calls.get(`/workflows/${id}`)
    const chain = Array.from({ length: 95 }, (_, n) => ({
      id: `d${n}`,
      type: "DELAY",
      name: `Wait ${n}`,
      config: { amount: 1, unit: "hours" },
    }))
    const last = steps.find(({ name }: { name: string }) => name === "Pro?").id
    const links = chain.map(({ id }, n) =>
      n === 0 ? { fromStepId: last, toStepId: id, branch: "no" } : { fromStepId: `d${n - 1}`, toStepId: id },
    )
    await calls.put(`/workflows/${id}/graph`, {
      version,
      steps: [...steps, ...chain],
      transitions: [...transitions, ...links],
    })
    await page.goto(server.url + path)
    await page.getByText("Wait 94", { exact: true }).waitFor({ state: "attached" })
    // What is loaded later is drawn once it is there.
    await page.getByText("Hello", { exact: true }).waitFor({ state: "attached" })
    await page.waitForLoadState("networkidle")
    const commits = await page.evaluate(() => {
      const counts = { changed: 0 }
      new MutationObserver((all) => {
        counts.changed += all.filter(({ target }) => (target as Element).closest?.("[data-stop]")).length
      }).observe(document.body, { subtree: true, childList: true, attributes: true })
      Object.assign(window, { counts })
      return counts.changed
    })
    expect(commits).toBe(0)
    await page.mouse.move(500, 600)
    await page.mouse.down()
    for (let n = 0; n < 40; n++) await page.mouse.move(500, 600 - n * 8)
    await page.mouse.up()
    // Moving the canvas redraws no step: the browser moves the layer that they are on.
    expect(await page.evaluate(() => (window as unknown as { counts: { changed: number } }).counts.changed)).toBe(0)
  }))
