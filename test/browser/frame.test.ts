import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { password } from "./account-server.ts"
import { visit, visitServer, withBrowser } from "./harness.ts"

withBrowser()

const partsOfFrame = "h1, .ms-side, .ms-brand, .ms-brand *, .ms-switcher, .ms-switcher *, .ms-links a, .ms-links svg"

/** Where and how the parts of the frame are painted. Its heading may become wider, not its text. */
const painted = (page: Page): Promise<string[]> =>
  page.evaluate((parts) => {
    const visible = [...document.querySelectorAll(parts)].filter(
      (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1,
    )
    return visible.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const { color, backgroundColor, font } = getComputedStyle(element)
      const text = element.children.length === 0 ? element.textContent : ""
      const kind = [element.tagName === "H1" ? "h1" : "", ...element.classList].find((name) => /^(h1|ms-)/.test(name))
      const place = [x, y, element.tagName === "H1" ? 0 : width, height].map((pixels) => pixels.toFixed(1))
      return [kind, text, ...place, ...(text ? [color, font] : []), backgroundColor].join(" | ")
    })
  }, partsOfFrame)

/** What of the frame is painted otherwise once the scripts have taken it over. */
async function changes(page: Page, address: string): Promise<string[]> {
  const release = Promise.withResolvers<void>()
  await page.route("**/app/assets/*", async (route) => {
    await release.promise
    await route.continue()
  })
  await page.goto(address, { waitUntil: "commit" })
  await page.locator("#frame h1").waitFor({ state: "attached" })
  const frame = await painted(page)
  release.resolve()
  await page.locator("#frame").waitFor({ state: "detached" })
  await page.locator("#root h1").first().waitFor({ state: "attached" })
  const shown = await painted(page)
  await page.unroute("**/app/assets/*")
  expect(frame.length).toBeGreaterThan(0)
  return frame.filter((part) => !shown.includes(part)).map((part) => `${address}: ${part}`)
}

const wide = { width: 1280, height: 800 }
const folded = { width: 1000, height: 800 }
const phone = { width: 390, height: 844 }
const views = [
  ["light", wide, ["/inbox", "/contacts", "/segments/new", "/settings"]],
  ["dark", wide, ["/contacts"]],
  ["dark", folded, ["/inbox", "/contacts"]],
  ["light", phone, ["/inbox", "/contacts", "/analytics"]],
] as const

const notLoaded = /Failed to load resource/

test("the scripts take over the frame of the document without moving or repainting it", () =>
  visit({ path: null, mails: [{ subject: "One" }], alone: true, allowed: notLoaded }, async ({ page, server }) => {
    const found: string[] = []
    for (const [colorScheme, viewport, paths] of views) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      for (const path of paths)
        found.push(...(await changes(page, `${server.url}/app/p/${server.projects[0]?.id}${path}`)))
    }
    expect(found).toEqual([])
  }))

test("the frame has the colours that were chosen, and its links work before the scripts do", () =>
  visit({ path: null, alone: true, allowed: notLoaded }, async ({ page, server }) => {
    await page.addInitScript(() => localStorage.setItem("mailstead.scheme", "dark"))
    await page.route("**/*.js", (route) => route.abort())
    await page.goto(`${server.url}/app/events`)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(25, 25, 29)")
    await page.getByRole("link", { name: "Campaigns" }).click()
    await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor()
    expect(await page.getByRole("navigation").count()).toBe(1)
    expect(await page.getByRole("main").count()).toBe(1)
  }))

test("the frame of a server has the project and its name, and nothing for those who are not signed in", () =>
  visitServer({ path: null, allowed: notLoaded }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id } = await owner.createProject("Lumen")
    const address = `${server.url}/app/p/${id}/home`
    await page.goto(address)
    expect(await page.locator("#frame").count()).toBe(0)
    await page.getByLabel("Email", { exact: true }).fill("owner@acme.test")
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Lumen" }).waitFor()
    expect(await changes(page, address)).toEqual([])
  }))
