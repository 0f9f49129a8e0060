import { expect, test } from "bun:test"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

test.each([
  ["en-US", "Jan 31, 2026"],
  ["en-GB", "31 Jan 2026"],
  ["de-DE", "31. Jan. 2026"],
])("dates have the format of a browser in %s", (locale, written) =>
  visit({ path: null, locale }, async ({ page, server }) => {
    await callsTo(server).post("/contacts", { email: "ada@example.com", data: { since: "2026-01-31" } })
    await page.goto(`${server.url}/app/contacts`)
    const cell = page.getByRole("row", { name: /ada@example.com/ }).getByText(written)
    await cell.waitFor()
    expect(await page.locator("html").getAttribute("lang")).toBe("en")
  }),
)
