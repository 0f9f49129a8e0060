import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { withBrowser } from "./harness.ts"
import { body, isSaved, withTemplate, write } from "./templates-seed.ts"

withBrowser()

const asked = (page: Page) => page.getByRole("dialog", { name: "Changed elsewhere meanwhile" })
const subject = (page: Page) => page.getByLabel("Subject")

/** The same template in another tab. */
async function anotherTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await body(tab).waitFor()
  return tab
}

/** Types here, then types and saves in another tab, then saves here. */
async function meetAnother(page: Page): Promise<void> {
  const tab = await anotherTab(page)
  await page.bringToFront()
  await write(page, "<p>Here</p>")
  await tab.bringToFront()
  await subject(tab).fill("There")
  await tab.keyboard.press("Control+s")
  await isSaved(tab)
  await tab.close()
  await page.keyboard.press("Control+s")
  await asked(page).waitFor()
}

test("changes saved in another tab are overwritten only after confirmation", () =>
  withTemplate({ subject: "Before" }, async (page, { get, id }) => {
    await meetAnother(page)
    expect(await get(`/templates/${id}`)).toMatchObject({ subject: "There" })
    await asked(page).getByRole("button", { name: "Keep editing" }).click()
    await asked(page).waitFor({ state: "detached" })
    await page.getByText("Not saved").waitFor()
    expect(await subject(page).inputValue()).toBe("Before")
    expect(await get(`/templates/${id}`)).toMatchObject({ subject: "There" })

    await page.getByRole("button", { name: "Save" }).click()
    await asked(page).getByRole("button", { name: "Overwrite" }).click()
    await isSaved(page)
    expect(await get(`/templates/${id}`)).toMatchObject({ subject: "Before", body: "<p>Here</p>" })
    await subject(page).fill("After")
    await page.keyboard.press("Control+s")
    await isSaved(page)
    expect(await get(`/templates/${id}`)).toMatchObject({ subject: "After", body: "<p>Here</p>" })
  }))

test("changes saved in another tab can be loaded instead", () =>
  withTemplate({ subject: "Before", body: "<p>Before</p>" }, async (page, { get, id }) => {
    await meetAnother(page)
    await asked(page).getByRole("button", { name: "Load it" }).click()
    await isSaved(page)
    expect(await subject(page).inputValue()).toBe("There")
    await body(page).getByText("<p>Before</p>").waitFor()
    expect(await get(`/templates/${id}`)).toMatchObject({ subject: "There", body: "<p>Before</p>" })
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
  }))

test("saving twice in a row is not reported as a conflict", () =>
  withTemplate({}, async (page, { get, id }) => {
    await subject(page).fill("Once")
    await page.keyboard.press("Control+s")
    await page.keyboard.press("Control+s")
    await isSaved(page)
    await subject(page).fill("Twice")
    await page.keyboard.press("Control+s")
    await isSaved(page)
    expect(await asked(page).count()).toBe(0)
    expect((await get(`/templates/${id}`)).subject).toBe("Twice")
  }))

test("a draft of a deleted template is saved as a new one", () =>
  withTemplate(
    { name: "Receipt", fromName: "Acme" },
    async (page, { get, remove, id }) => {
      await subject(page).fill("Changed")
      await remove(`/templates/${id}`)
      await page.keyboard.press("Control+s")
      await page.getByRole("status").filter({ hasText: "Deleted elsewhere" }).waitFor()
      expect(await subject(page).inputValue()).toBe("Changed")
      await page.getByRole("button", { name: "Save as a new one" }).click()
      await isSaved(page)
      const { data } = await get("/templates")
      expect(data).toMatchObject([{ name: "Receipt", subject: "Changed", fromName: "Acme", replyTo: null }])
      await page.waitForURL((url) => url.pathname.endsWith(data[0].id))
      expect(await subject(page).inputValue()).toBe("Changed")
    },
    { allowed: /404/ },
  ))

test("duplicating with unsaved changes asks first", () =>
  withTemplate({ name: "Receipt" }, async (page, { get }) => {
    const duplicate = async () => {
      await page.getByRole("button", { name: "Template actions" }).click()
      await page.getByRole("menuitem", { name: "Duplicate" }).click()
    }
    const leave = page.getByRole("dialog", { name: "Leave without saving?" })
    await subject(page).fill("Changed")
    await duplicate()
    await leave.getByRole("button", { name: "Stay" }).click()
    await leave.waitFor({ state: "detached" })
    expect((await get("/templates")).total).toBe(1)
    expect(await subject(page).inputValue()).toBe("Changed")

    await duplicate()
    await leave.getByRole("button", { name: "Leave" }).click()
    await page.waitForFunction(() => document.title === "Receipt (Copy) · Mailstead")
    expect((await get("/templates")).total).toBe(2)
    await leave.waitFor({ state: "detached" })
  }))

test("unsaved changes stay guarded when the copy fails", () =>
  withTemplate(
    {},
    async (page) => {
      await page.route("**/duplicate", (route) => route.abort())
      await subject(page).fill("Changed")
      await page.getByRole("button", { name: "Template actions" }).click()
      await page.getByRole("menuitem", { name: "Duplicate" }).click()
      await page.getByRole("button", { name: "Leave" }).click()
      await page.getByRole("alert").filter({ hasText: "No answer" }).waitFor()
      await page.getByRole("button", { name: "All templates" }).click()
      await page.getByRole("button", { name: "Stay" }).click()
      expect(await subject(page).inputValue()).toBe("Changed")
    },
    { allowed: /ERR_FAILED/ },
  ))
