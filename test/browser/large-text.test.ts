import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { furnish } from "./furnish.ts"
import { moveTo, visit, withBrowser } from "./harness.ts"

withBrowser()

/** The default font size of the browser, half as large again as usual. */
async function enlargeText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send("Page.setFontSizes", { fontSizes: { standard: 24 } })
}

test("with a larger font in the browser, no label covers its field, no date is cut, and a tab scrolls among its tabs, not the page", () =>
  visit({ path: null, alone: true }, async ({ page, server }) => {
    await enlargeText(page)
    const { template, contact } = await furnish(server)
    const cut = (elements: Element[]) =>
      elements.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent || one.ariaLabel)
    await page.goto(`${server.url}/app${template}`)
    await page.getByLabel("Preheader").waitFor()
    expect(await page.getByText(/^(From|Reply to|Preheader)$/).evaluateAll(cut)).toEqual([])
    await moveTo(page, "/app/activity")
    // What is cut of a date is inside of it, out of reach: half as large again as usual it needs this.
    expect((await page.getByLabel("To day").boundingBox())?.width).toBeGreaterThan(250)
    await moveTo(page, `/app${contact}?tab=workflows`)
    await page.getByRole("tabpanel").getByText("Welcome").waitFor()
    expect((await page.getByRole("navigation").first().boundingBox())?.x).toBeGreaterThanOrEqual(0)
  }))
