import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { moveTo, pathOf, visit, withBrowser } from "./harness.ts"

withBrowser()

/** Holds the next request to this path; resolves, once it is made, to what lets it through and waits for its answer. */
function holdNext(page: Page, path: string): Promise<() => Promise<unknown>> {
  const held = Promise.withResolvers<() => Promise<unknown>>()
  const hold = (letThrough: () => Promise<void>) =>
    held.resolve(async () => {
      const answered = page.waitForResponse(path)
      await letThrough()
      await (await answered).finished()
      // The next frame shows what it led to.
      await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))))
    })
  void page.route(path, (route) => hold(() => route.continue()), { times: 1 })
  return held.promise
}

test("a domain that is added or removed late leaves alone the page to which somebody went meanwhile", () =>
  visit({ path: "/app/domains" }, async ({ page, server }) => {
    const root = `/app/p/${server.projects[0]?.id}`
    await page.getByLabel("Domain", { exact: true }).fill("shop.test")
    const added = holdNext(page, "**/domains")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const add = await added
    await moveTo(page, `${root}/settings`)
    await add()
    expect(pathOf(page)).toBe("/app/settings")

    await moveTo(page, `${root}/domains`)
    await page.getByRole("link", { name: "shop.test" }).click()
    await page.getByRole("button", { name: "Remove the domain" }).click()
    const removed = holdNext(page, "**/domains/*")
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    const remove = await removed
    await moveTo(page, `${root}/settings`)
    await page.getByLabel("Postal address").fill("1 Main Street")
    await remove()
    expect([pathOf(page), await page.getByRole("dialog").count()]).toEqual(["/app/settings", 0])
  }))

test("a refusal that comes after its form was left is told", () =>
  visit({ path: "/app/domains", allowed: /422/ }, async ({ page, server }) => {
    await page.getByLabel("Domain", { exact: true }).fill("-.test")
    const added = holdNext(page, "**/domains")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const refuse = await added
    await moveTo(page, `/app/p/${server.projects[0]?.id}/settings`)
    await refuse()
    await page.getByRole("alert").filter({ hasText: "Not done" }).filter({ hasText: "domain" }).waitFor()
    expect(pathOf(page)).toBe("/app/settings")
  }))

test("what is created after its dialog was closed does not take the place of what is open by then", () =>
  visit({ path: "/app/templates" }, async ({ page, server }) => {
    const root = `/app/p/${server.projects[0]?.id}`
    const dialog = page.getByRole("dialog")
    const name = dialog.getByLabel("Name", { exact: true })
    const forms = [
      ["templates", "New template", "Create template", "**/templates"],
      ["campaigns", "New campaign", "Create draft", "**/campaigns"],
      ["workflows", "New workflow", "Create workflow", "**/workflows"],
    ] as const
    await callsTo(server).addTemplate({ name: "Receipt" })
    for (const [place, open, create, path] of forms) {
      await moveTo(page, `${root}/${place}`)
      await page.getByRole("button", { name: open }).first().click()
      await name.fill("The first")
      if (place === "workflows") await dialog.getByLabel("Starts with the event").fill("signup")
      const created = holdNext(page, path)
      await dialog.getByRole("button", { name: create }).click()
      const go = await created
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await dialog.waitFor({ state: "detached" })
      await page.getByRole("button", { name: open }).first().click()
      await name.fill("The second")
      await go()
      await page.getByText("Created: The first").last().waitFor()
      expect([pathOf(page), await name.inputValue()]).toEqual([`/app/${place}`, "The second"])
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await dialog.waitFor({ state: "detached" })
    }
  }))
