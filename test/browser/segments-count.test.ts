import { test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const why = "Evaluating this condition takes longer than 2 seconds for a part of the contacts."

/** Has the server say that the last count of each segment was ended early, until it is counted again. */
async function endCountsEarly(page: Page): Promise<void> {
  let isCounted = false
  const withError = (segment: object) => ({ ...segment, computeError: why })
  await page.route(/\/segments(\/[0-9a-f-]{36})?$/, async (route) => {
    if (isCounted || route.request().resourceType() === "document") return route.continue()
    const answer = await route.fetch()
    const body = await answer.json()
    await route.fulfill({ response: answer, json: Array.isArray(body) ? body.map(withError) : withError(body) })
  })
  await page.route("**/segments/*/refresh", (route) => {
    isCounted = true
    return route.continue()
  })
}

test("a segment that could not be counted says why, in the list and on its page, until it is counted", () =>
  visit({ path: null }, async ({ page, server }) => {
    const condition = {
      logic: "AND",
      groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }],
    }
    await callsTo(server).post("/segments", { name: "Pros", condition })
    await endCountsEarly(page)
    await page.goto(`${server.url}/app/segments`)
    const row = page.getByRole("row").filter({ hasText: "Pros" })
    await row.getByText(why).waitFor()
    await row.getByRole("img", { name: "The last count was ended early" }).waitFor()
    await row.getByRole("link", { name: "Pros" }).click()
    const note = page.getByRole("note")
    await note.getByText(why).waitFor()
    await note.getByRole("button", { name: "Count again" }).click()
    await note.waitFor({ state: "detached" })
    await page.getByText("0 members now").waitFor()
  }))
