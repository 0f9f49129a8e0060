import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { AccountServer } from "./account-server.ts"
import { visitServer, withBrowser } from "./harness.ts"
import { signIn } from "./sign-in.ts"

withBrowser()

const address = (name: string) => `${name}@example.com`

/** Sends a mail to each, and resolves to the ids once they have left. */
async function sendTo(server: AccountServer, secret: string, ...names: string[]): Promise<string[]> {
  const answer = await fetch(`${server.url}/v1/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ to: names.map(address), from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }),
  })
  const { data } = (await answer.json()) as { data: { emails: { email: string }[] } }
  await server.app.settle()
  return data.emails.map(({ email }) => email)
}

async function cells(page: Page, label: string, name: string): Promise<string[]> {
  const row = page.getByRole("table", { name: label, exact: true }).getByRole("row", { name })
  await row.waitFor()
  return row.getByRole("cell").allInnerTexts()
}

test("a member sees bounces and complaints beside their limits, the owner of the server what its transports did", () =>
  visitServer({ path: null }, async ({ page, server }) => {
    const owner = await server.signUp("owner@acme.test")
    const { id, secret } = await owner.createProject("Acme")
    await server.app.domains.add(id, "acme.test", { vouched: true })
    const names = Array.from({ length: 12 }, (_, index) => `reader${index}`)
    const mails = await sendTo(server, secret, ...names, "rejected")
    await server.app.store.write(id, async (unit) => {
      for (const mail of mails.slice(0, 11))
        await server.app.emails.report(unit, mail, { kind: "bounce", bounceType: "Permanent" })
    })
    await page.goto(`${server.url}/app/p/${id}/domains`)
    await signIn(page, "owner@acme.test")
    await page.getByRole("link", { name: "Reputation" }).click()
    await page.getByText("12 mails in the last 7 days, 12 mails in all.").waitFor()
    await page.getByText("11 bounces in 24 hours (a new project may have 10).").waitFor()
    expect(await cells(page, "While it is new", "Bounces, 24 hours")).toEqual(["High", "11", "10", "25"])
    expect(await cells(page, "While it is new", "Complaints, 7 days")).toEqual(["Good", "0", "10", "20"])
    expect(await cells(page, "Rates", "Bounces, 7 days")).toEqual(["Too few mails", "91.6667%", "5%", "10%"])

    await page.goto(`${server.url}/app/instance`)
    await page.getByRole("link", { name: "Transports" }).click()
    const shown = await cells(page, "Transports", "smtp://relay.acme.test:587")
    expect(shown.slice(0, 4)).toEqual(["12", "0", "1", "0"])
    expect(shown[4]).toMatch(/^0\.\d+\/s$/)
    await page.getByRole("list", { name: "Last errors" }).getByText("550 5.1.1 No such mailbox").waitFor()
  }))
