import { expect, test } from "bun:test"
import { recipes } from "../../src/dashboard/pages/workflows/recipes/recipes.ts"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

test("each recipe makes a workflow that can be enabled, and sends its mails in a simulation", () =>
  visit({ path: "/app/workflows" }, async ({ page, server }) => {
    const calls = callsTo(server)
    for (const recipe of recipes) {
      await page.goto(`${server.url}/app/workflows`)
      await page.getByRole("button", { name: "New workflow" }).first().click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Begin with").selectOption({ label: recipe.name })
      await dialog.getByRole("button", { name: "Create workflow" }).click()
      await page.waitForURL(/\/workflows\/[0-9a-f-]{36}$/)
      await page.getByText("Trigger", { exact: true }).waitFor()
      const id = new URL(page.url()).pathname.split("/").at(-1)
      expect(await calls.patch(`/workflows/${id}`, { enabled: true })).toMatchObject({ enabled: true })
      const { steps, status, error } = await calls.post(`/workflows/${id}/simulate`, {
        contact: { data: { name: "Ada" } },
      })
      expect([recipe.name, error, ["COMPLETED", "EXITED"].includes(status)]).toEqual([recipe.name, null, true])
      const mails = steps.filter(({ type }: { type: string }) => type === "SEND_EMAIL")
      expect(mails.length).toBeGreaterThan(0)
      for (const { email } of mails) expect([email.error, email.html.includes("<p")]).toEqual([null, true])
    }
  }))
