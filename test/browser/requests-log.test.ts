import { expect, test } from "bun:test"
import { sql } from "drizzle-orm"
import { password } from "./account-server.ts"
import { visitServer, withBrowser } from "./harness.ts"
import { signInAt } from "./sign-in.ts"

withBrowser()

test("the requests of a project and of the server are listed, and what retention has deleted", () =>
  visitServer({ path: "/app/sign-up" }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id, secret } = await owner.createProject("Acme")
    const ask = (path: string, key: string) =>
      fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })
    for (let at = 0; at < 60; at++) await ask("/contacts", secret)
    await ask("/emails/0199c0de-0000-7000-8000-ffffffffffff", secret)
    await ask("/templates", "sk_wrong")
    await server.app.store.write("instance", async (unit) => {
      const today = new Date(unit.now).toISOString().slice(0, 10)
      await unit.db.run(
        sql`INSERT INTO freed (day, name, rows, bytes) VALUES (${today}, 'content', 1200, 0), (${today}, 'disk', 0, 5242880)`,
      )
    })
    await server.app.settle()

    await page.goto(`${server.url}/app/p/${id}/settings/requests`)
    await page.getByLabel("Email", { exact: true }).fill("owner@acme.test")
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    const rows = page.getByRole("table", { name: "Requests" }).getByRole("row")
    await rows.filter({ hasText: "GET /emails/:id" }).filter({ hasText: "404" }).waitFor()
    expect(await rows.count()).toBe(51)
    expect(await rows.filter({ hasText: "GET /contacts" }).first().getByRole("cell").allInnerTexts()).toEqual([
      expect.any(String),
      "200",
      expect.stringMatching(/^[\d.,]+ ms$/),
      "Secret key",
    ])
    expect(await rows.filter({ hasText: "/templates" }).count()).toBe(0)
    // The next page is loaded when the end comes into view.
    await rows.last().scrollIntoViewIfNeeded()
    await page.waitForFunction(() => document.querySelectorAll("table[aria-label=Requests] tbody tr").length > 60)

    await page.getByLabel("Outcome of the requests").selectOption({ label: "Failed (400 and more)" })
    await page.waitForFunction(() => document.querySelectorAll("table[aria-label=Requests] tbody tr").length === 1)
    expect(await rows.nth(1).textContent()).toContain("GET /emails/:id")

    await page.goto(`${server.url}/app/instance/requests`)
    await rows.filter({ hasText: "GET /templates" }).filter({ hasText: "401" }).filter({ hasText: "Nobody" }).waitFor()
    await rows.filter({ hasText: "GET /emails/:id" }).filter({ hasText: "Acme" }).waitFor()
    await page.getByRole("link", { name: "Storage" }).click()
    await page.getByText(/of which .* unused/).waitFor()
    const deleted = page.getByRole("table", { name: "Deleted" }).getByRole("row").nth(1)
    expect(await deleted.getByRole("cell").allInnerTexts()).toEqual(["content: 1,200", "0 B", "5.0 MB"])
  }))

test("on a wide screen the requests of the server are seen with their projects, without scrolling sideways", () =>
  visitServer({ path: null, viewport: { width: 1440, height: 900 } }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { secret } = await owner.createProject("Acme Incorporated")
    await fetch(`${server.url}/contacts`, { headers: { Authorization: `Bearer ${secret}` } })
    await server.app.settle()
    await signInAt(page, server, "owner@acme.test", "/app/instance/requests")
    await page.getByRole("cell", { name: "Acme Incorporated" }).first().waitFor()
    const table = page.getByRole("region", { name: "Log of requests" })
    expect(await table.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
  }))
