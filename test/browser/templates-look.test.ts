import { expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { callsTo } from "./calls.ts"
import { type Visit, visit, withBrowser } from "./harness.ts"

withBrowser()

async function openEditor({ page, server }: Visit, fields: Record<string, unknown> = {}): Promise<void> {
  const { id } = await callsTo(server).addTemplate(fields)
  await page.goto(`${server.url}/app/templates/${id}`)
  await page.locator("iframe[title='Mail preview']").waitFor()
}

test("the address of the preview's contact is not cut vertically", () =>
  visit({ path: "/app/inbox" }, async (visited) => {
    await callsTo(visited.server).post("/contacts", { email: "judy.gray@example.com" })
    await openEditor(visited)
    const label = visited.page.getByRole("button", { name: /^Filled for/ }).getByText("judy.gray@example.com")
    const { room, text } = await label.evaluate((element) => ({
      room: element.clientHeight,
      text: element.scrollHeight,
    }))
    expect(room).toBeGreaterThanOrEqual(text - 1)
  }))

test("subject and sender of maximum length leave space for the mail", () =>
  visit({ path: "/app/inbox" }, async (visited) => {
    await openEditor(visited, { subject: "A long subject ".repeat(66).trim(), fromName: "Sender ".repeat(100).trim() })
    const box = await visited.page.locator("iframe[title='Mail preview']").boundingBox()
    expect(box?.height).toBeGreaterThan(400)
  }))

test("on a phone the name of a template has the first line, and its type is below it", () =>
  visit({ path: null, viewport: { width: 390, height: 800 } }, async (visited) => {
    const { id } = await callsTo(visited.server).addTemplate({ name: "A receipt for every order" })
    await visited.page.goto(`${visited.server.url}/app/templates/${id}`)
    const name = await visited.page.getByLabel("Name", { exact: true }).boundingBox()
    const type = await visited.page.getByRole("button", { name: "Type: Transactional" }).boundingBox()
    expect(name?.width).toBeGreaterThan(200)
    expect(type?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0))
  }))

test("right-to-left text is shown in its direction, and cut at its own end", () =>
  visit({ path: null }, async ({ page, server }) => {
    const { id } = await callsTo(server).addTemplate({
      name: "مرحبا",
      subject: "شكرا!",
      description: "ملاحظة",
      fromName: "متجر",
    })
    const direction = (part: Locator) => part.evaluate((element) => getComputedStyle(element).direction)
    await page.goto(`${server.url}/app/templates`)
    const row = page.getByRole("row", { name: "مرحبا" })
    for (const text of ["مرحبا", "شكرا!", "ملاحظة"]) {
      const part = row.getByText(text)
      expect(await direction(part)).toBe("rtl")
      expect(await part.evaluate((element) => getComputedStyle(element).textAlign)).toBe("left")
    }
    await page.goto(`${server.url}/app/templates/${id}`)
    for (const label of ["Name", "Subject", "Note", "Sender name"])
      expect(await direction(page.getByLabel(label, { exact: true }))).toBe("rtl")
    expect(await direction(page.getByLabel("From", { exact: true }))).toBe("ltr")
  }))

test.each(["light", "dark"] as const)(
  "placeholders and line numbers have enough contrast in the %s scheme",
  (colorScheme) =>
    visit({ path: "/app/inbox", colorScheme }, async (visited) => {
      await openEditor(visited)
      const { page } = visited
      const placeholder = page.getByLabel("Reply to")
      const number = page.locator(".cm-lineNumbers .cm-gutterElement:not(.cm-activeLineGutter)").last()
      await page.getByRole("textbox", { name: "Body" }).press("Control+Home")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Control+Home")
      expect(await contrast(placeholder, "::placeholder")).toBeGreaterThanOrEqual(4.5)
      expect(await contrast(number)).toBeGreaterThanOrEqual(4.5)
    }),
)

/** The contrast of a text with the first background behind it that has a colour (WCAG 2.2, 1.4.3). */
const contrast = (part: Locator, pseudo?: string): Promise<number> =>
  part.evaluate((element, pseudo) => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = channels(colour)
        .map((channel) => channel / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    let ground: Element | null = element
    const groundOf = (one: Element) => getComputedStyle(one).backgroundColor
    while (ground?.parentElement && channels(groundOf(ground))[3] === 0) ground = ground.parentElement
    const both = [getComputedStyle(element, pseudo).color, ground ? groundOf(ground) : "rgb(255, 255, 255)"]
    const [dark = 0, light = 0] = both.map(luminance).sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }, pseudo)
