import type { Page } from "playwright-core"

/** As if the server were replaced by its version 99.0.0 while this page is open: the live stream ends, as in a restart. */
export async function updateServer(page: Page): Promise<void> {
  await page.route("**/config", async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), version: "99.0.0" } })
  })
  await page.route("**/app/live/*", (route) => route.abort())
  for (const state of ["hidden", "visible"])
    await page.evaluate((now) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now })
      document.dispatchEvent(new Event("visibilitychange"))
    }, state)
}
