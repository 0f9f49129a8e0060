import { expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { callsTo } from "./calls.ts"
import { furnish } from "./furnish.ts"
import { moveTo, visit, withBrowser } from "./harness.ts"
import { body, hasFocus } from "./templates-seed.ts"

withBrowser()

const tablet = { width: 820, height: 900 }
const phone = { width: 390, height: 800 }

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox()
  if (!box) throw new Error("it is not in view")
  return box
}

/** The overlapping area of two elements, in square pixels. */
async function overlap(one: Locator, other: Locator): Promise<number> {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

/** Resolves once the element has stopped moving. */
const settled = (element: Locator) =>
  element.evaluate((it) => Promise.all(it.getAnimations({ subtree: true }).map(({ finished }) => finished)))

test("on a tablet an editor shows faults in full, and going back restores the list", () =>
  visit({ path: null, mails: [{ subject: "One" }], viewport: tablet, allowed: /422/ }, async ({ page, server }) => {
    const { addTemplate } = callsTo(server)
    for (const name of ["Receipt", "Welcome"]) await addTemplate({ name })
    await page.goto(`${server.url}/app/templates?search=welc`)
    const inbox = page.getByRole("link", { name: "Inbox" })
    expect(await overlap(inbox.getByRole("img", { name: "1 unread" }), inbox.locator("svg"))).toBeLessThan(40)

    await page.getByRole("link", { name: "Welcome" }).click()
    const bracketIs = (ground: string) =>
      page.waitForFunction((wanted) => {
        const bracket = document.querySelector(".cm-matchingBracket")
        return bracket && getComputedStyle(bracket).backgroundColor === wanted
      }, ground)
    await body(page).focus()
    // The editor matches brackets when the cursor moves, which fails before it has parsed the text.
    while ((await page.locator(".cm-matchingBracket").count()) === 0) {
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("ArrowLeft")
    }
    await bracketIs("rgb(219, 223, 245)")
    await body(page).blur()
    await bracketIs("rgba(0, 0, 0, 0)")
    await body(page).focus()
    await page.keyboard.type("{{#if plan}}")
    await page.keyboard.press("Control+s")
    const fault = page.getByRole("status").filter({ hasText: "is never closed" })
    await fault.waitFor()
    expect(await fault.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)

    await page.getByRole("button", { name: "All templates" }).click()
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" })
    await dialog.getByRole("button", { name: "Close" }).waitFor()
    await hasFocus(page, "Stay")
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await fault.waitFor()
    await page.getByRole("button", { name: "All templates" }).click()
    await dialog.getByRole("button", { name: "Leave" }).click()
    await page.waitForURL("**/templates?search=welc")
    await dialog.waitFor({ state: "detached" })
    await page.getByRole("link", { name: "Welcome" }).click()
    await page.getByRole("button", { name: "All templates" }).click()
    await page.getByText("1 found").waitFor()
    await hasFocus(page, "Welcome")
  }))

test("notifications cover no bar at the foot of the page", () =>
  visit({ allowed: /500/ }, async ({ page, server }) => {
    const { id } = await callsTo(server).post("/contacts", { email: "ada@example.com", data: { plan: "free" } })
    await page.route("**/contacts/*", (route) =>
      route.request().method() === "PATCH" ? route.fulfill({ status: 500, body: "{}" }) : route.continue(),
    )
    await page.goto(`${server.url}/app/contacts/${id}`)
    await page.getByLabel("plan", { exact: true }).fill("pro")
    await page.keyboard.press("Control+s")
    const told = page.getByRole("alert").filter({ hasText: "Not saved" })
    await told.getByRole("button", { name: "Dismiss" }).waitFor()
    for (const size of [page.viewportSize(), phone]) {
      if (size) await page.setViewportSize(size)
      await settled(told)
      expect(await overlap(told, page.locator("[data-unsaved]"))).toBe(0)
    }
  }))

test("a page that loads slowly shows a loader, in the colour scheme of the page", () =>
  visit({ mails: [{ subject: "One" }] }, async ({ page, row }) => {
    await row("One").waitFor()
    let answer = () => {}
    const allowed = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route("**/*.js", async (route) => {
      await allowed
      await route.continue()
    })
    const ground = () => page.locator("main:visible").evaluate((it) => getComputedStyle(it).backgroundColor)
    await page.getByRole("link", { name: "Segments" }).click()
    await page.waitForFunction(() => {
      const sign = document.querySelector("main[aria-busy=true] [aria-label=Loading]")
      return sign && getComputedStyle(sign).opacity === "1"
    })
    const before = await ground()
    answer()
    await page.getByRole("heading", { name: "Who belongs together?" }).waitFor()
    expect(await ground()).toBe(before)
  }))

test("an address without a page says so, and leads to the first page", () =>
  visit({ path: "/app/no/such/page" }, async ({ page }) => {
    await page.getByRole("main").getByRole("heading", { name: "Not found" }).waitFor()
    expect(await page.title()).toBe("Not found · Mailstead")
    await page.getByRole("button", { name: "Go to Inbox" }).click()
    await page.waitForURL("**/inbox")
  }))

test("the title of the document names what is open, in a list too", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { mail, contact, workflow } = await furnish(server)
    const titled = (title: string) => page.waitForFunction((expected) => document.title === expected, title)
    await page.goto(`${server.url}/app${contact}`)
    await titled("ada@acme.test · Contacts · Mailstead")
    await page.keyboard.press("Escape")
    await titled("Contacts · Mailstead")
    await moveTo(page, `/app${mail}`)
    await page.waitForFunction(() => /^\(\d+\) Receipt · Inbox · Mailstead$/.test(document.title))
    await moveTo(page, `/app${workflow}/executions`)
    await titled("Executions of Welcome · Mailstead")
    await moveTo(page, `/app${workflow}`)
    await titled("Welcome · Mailstead")
  }))

test("code in a box leaves space for its button, and scrolls", () =>
  visit({ viewport: phone }, async ({ page }) => {
    const code = page.getByRole("region", { name: "curl command" })
    await code.waitFor()
    expect(await overlap(code, page.getByRole("button", { name: "Copy curl command" }))).toBe(0)
    expect(await code.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeGreaterThan(0)
  }))
