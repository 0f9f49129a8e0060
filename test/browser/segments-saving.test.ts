import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { withBrowser } from "./harness.ts"
import { filter, withPeople } from "./segments-seed.ts"

withBrowser()

const asked = (page: Page) => page.getByRole("dialog", { name: "Changed elsewhere meanwhile" })
const name = (page: Page) => page.getByLabel("Name")

/** Opens a segment, changes its name here, then name and condition in another tab, and saves here. */
const meetAnother = (use: (page: Page, stored: () => Promise<Record<string, unknown> | undefined>) => Promise<void>) =>
  withPeople({}, async ({ page, server, calls }) => {
    const { id } = await calls.segment({ name: "Pros" }, filter("data.plan", "equals", "pro"))
    await page.goto(`${server.url}/app/segments/${id}`)
    await name(page).fill("Here")
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await name(tab).fill("There")
    await tab.getByRole("combobox", { name: "Value" }).fill("free")
    await tab.keyboard.press("Control+s")
    await tab.getByText("Saved just now").waitFor()
    await tab.close()
    await page.keyboard.press("Control+s")
    await asked(page).waitFor()
    await use(page, async () => (await calls.segments()).find((segment) => segment.id === id))
  })

test("a segment saved in another tab is overwritten only after confirmation", () =>
  meetAnother(async (page, stored) => {
    await asked(page).getByRole("button", { name: "Keep editing" }).click()
    await asked(page).waitFor({ state: "detached" })
    expect(await name(page).inputValue()).toBe("Here")
    expect(await stored()).toMatchObject({ name: "There" })
    await page.getByRole("button", { name: "Save" }).click()
    await asked(page).getByRole("button", { name: "Overwrite" }).click()
    await page.getByText("Saved just now").waitFor()
    const condition = { groups: [{ filters: [{ field: "data.plan", value: "pro" }] }] }
    expect(await stored()).toMatchObject({ name: "Here", condition })
  }))

test("a segment saved in another tab can be loaded instead, with its condition", () =>
  meetAnother(async (page, stored) => {
    await asked(page).getByRole("button", { name: "Load it" }).click()
    await page.getByText("Saved just now").waitFor()
    expect(await name(page).inputValue()).toBe("There")
    expect(await page.getByRole("combobox", { name: "Value" }).inputValue()).toBe("free")
    expect(await stored()).toMatchObject({ name: "There" })
  }))

test("a draft of a deleted segment is saved as a new one", () =>
  withPeople({ allowed: /404/ }, async ({ page, server, calls }) => {
    const { id } = await calls.segment({ name: "Pros" }, filter("data.plan", "equals", "pro"))
    await page.goto(`${server.url}/app/segments/${id}`)
    await page.getByRole("combobox", { name: "Value" }).fill("free")
    await calls.remove(`/segments/${id}`)
    await page.keyboard.press("Control+s")
    await page.getByRole("status").filter({ hasText: "Deleted elsewhere" }).waitFor()
    await page.getByRole("button", { name: "Save as a new one" }).click()
    await page.getByText("Saved just now").waitFor()
    const [created] = await calls.segments()
    expect(created).toMatchObject({
      name: "Pros",
      condition: { groups: [{ filters: [filter("data.plan", "equals", "free")] }] },
    })
    await page.waitForURL((url) => url.pathname.endsWith(String(created?.id)))
  }))
