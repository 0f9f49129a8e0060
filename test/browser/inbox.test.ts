import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor()

test("a mail by SMTP to several people is one row, and shows to, cc and bcc when it is open", () =>
  visit(
    {
      mails: [
        { subject: "Crew", by: "smtp", to: "a@one.test, b@one.test", cc: "c@one.test", bcc: "bounce@simulator.test" },
      ],
    },
    async ({ page, row }) => {
      await row("Crew").filter({ hasText: "to a@one.test and 3 others" }).waitFor()
      expect(await page.locator("[data-mail]").count()).toBe(1)
      await page.getByText("1 message, 1 unread").waitFor()
      await row("Crew").click()
      const people = page.getByRole("article", { name: "Message" }).locator("header p")
      await people.filter({ hasText: /^toa@one\.test\s*b@one\.test$/ }).waitFor()
      await people.filter({ hasText: /^ccc@one\.test$/ }).waitFor()
      await people.filter({ hasText: /^bccbounce@simulator\.test\s*Bounced$/ }).waitFor()
      await page.getByRole("button", { name: "Via SMTP" }).waitFor()
    },
  ))

test("j on a mail opened by link goes to the next older one, and back returns to the link", () => {
  const mails = Array.from({ length: 55 }, (_, at) => ({ subject: `Mail ${at + 1}.` }))
  return visit({ mails: [{ subject: "Oldest" }, { subject: "Linked" }, ...mails] }, async ({ page, server, row }) => {
    await row("Mail 55.").waitFor()
    const found = await page.evaluate(async (projectId) => {
      const answer = await fetch("/inbox?search=linked", { headers: { "X-Project-Id": projectId } })
      return (await answer.json()).data[0].id
    }, server.projects[0]?.id ?? "")
    await page.goto(`${server.url}/app/inbox/${found}`)
    await heading(page, "Linked")
    await page.getByRole("button", { name: "Older message" }).and(page.locator(":enabled")).waitFor()
    await page.keyboard.press("j")
    await heading(page, "Oldest")
    await page.goBack()
    await heading(page, "Linked")
    await page.keyboard.press("k")
    await heading(page, "Mail 1.")
  })
})

test("a message to several people stays in a long list when the contact of the first is deleted elsewhere", () => {
  const mails = Array.from({ length: 55 }, (_, at) => ({ subject: `Mail ${at + 1}.` }))
  const crew = { subject: "Crew", by: "smtp", to: "a@one.test, b@one.test" } as const
  return visit({ mails: [crew, ...mails] }, async ({ page, server, row }) => {
    await row("Mail 55.").waitFor()
    await row("Mail 6.").scrollIntoViewIfNeeded()
    await row("Crew").filter({ hasText: "to a@one.test and 1 other" }).waitFor()
    await page.evaluate(async (projectId) => {
      const headers = { "X-Project-Id": projectId }
      const { data } = await (await fetch("/contacts?search=a@one.test", { headers })).json()
      await fetch(`/contacts/${data[0].id}`, { method: "DELETE", headers })
    }, server.projects[0]?.id ?? "")
    await row("Crew").filter({ hasText: "to b@one.test" }).waitFor()
  })
})

test("search accepts operators, and reports invalid ones", () =>
  visit(
    {
      mails: [
        { subject: "Invoice", html: "<p>Pay by Friday</p>" },
        { subject: "Photo", attachments: [{ filename: "a.png", contentType: "image/png", content: "AAAA" }] },
      ],
      allowed: /400/,
    },
    async ({ page, row }) => {
      await row("Photo").getByLabel("1 attachment").waitFor()
      await page.getByLabel("Search mail").fill('"by friday"')
      await row("Photo").waitFor({ state: "detached" })
      await row("Invoice").waitFor()
      await page.getByLabel("Search mail").fill("has:attachment")
      await row("Invoice").waitFor({ state: "detached" })
      await row("Photo").waitFor()
      await page.getByLabel("Search mail").fill("has:cheese")
      await page.getByRole("alert").getByText("has: is followed by attachment.").waitFor()
    },
  ))

test("the source filters the list and is in the URL", () =>
  visit({ mails: [{ subject: "By API" }, { subject: "By SMTP", by: "smtp" }] }, async ({ page, row }) => {
    await row("By API").waitFor()
    await page.getByRole("button", { name: "Filter mail" }).click()
    await page.getByRole("menuitemradio", { name: "SMTP" }).click()
    await row("By API").waitFor({ state: "detached" })
    await page.reload()
    await row("By SMTP").waitFor()
    expect(await page.locator("[data-mail]").count()).toBe(1)
    await page.getByLabel("Search mail").fill("nothing such")
    await page.getByRole("button", { name: "Show all mail" }).click()
    await row("By API").waitFor()
  }))

test("mail read in one profile is read in another", () =>
  visit({ mails: [{ subject: "One" }, { subject: "Two" }] }, async ({ page, server, row }) => {
    await row("One").click()
    await page.waitForFunction(() => document.title === "(1) One · Inbox · Mailstead")
    const other = await page.context().browser()?.newContext()
    const elsewhere = await other?.newPage()
    try {
      await elsewhere?.goto(`${server.url}/app`)
      await elsewhere?.waitForFunction(() => document.title === "(1) Inbox · Mailstead")
      await page.getByRole("button", { name: "Mark as unread" }).click()
      await elsewhere?.waitForFunction(() => document.title === "(2) Inbox · Mailstead")
    } finally {
      await other?.close()
    }
  }))

const campaign = (name: string, more: object = {}) => ({
  name,
  subject: `${name} news`,
  body: "<p>Flowers</p>",
  from: "hello@shop.test",
  audienceType: "ALL",
  ...more,
})

test("a campaign is one row, which unfolds into its mails", () =>
  visit({ mails: [{ subject: "Before" }] }, async ({ page, server, row }) => {
    const calls = callsTo(server)
    await calls.addContacts(3)
    const { data } = await calls.post("/campaigns", campaign("Spring"))
    await calls.post(`/campaigns/${data.id}/send`, {})
    await row("Spring news").filter({ hasText: "Spring, 3 mails" }).waitFor()
    expect(await row("Spring news").count()).toBe(1)
    await page.getByRole("button", { name: "Mails of Spring" }).click()
    const mails = page.getByRole("list", { name: "Mails of Spring" })
    await mails.getByRole("link", { name: "p002@example.com" }).click()
    await page.getByRole("article", { name: "Message" }).getByText("p002@example.com").first().waitFor()
    await mails.getByRole("link", { name: "Open the report" }).click()
    await page.getByLabel("Figures").waitFor()
  }))

test("a campaign's long name gives way to the count of its mails", () =>
  visit({}, async ({ page, server, row }) => {
    const calls = callsTo(server)
    await calls.addContacts(2)
    const { data } = await calls.post("/campaigns", campaign(`${"Spring and summer ".repeat(8)}sale`))
    await calls.post(`/campaigns/${data.id}/send`, {})
    const mailCount = row("Spring").getByText(", 2 mails", { exact: true })
    await mailCount.waitFor()
    const { right: end } = await mailCount.evaluate((node) => node.getBoundingClientRect())
    const unfold = await page.getByRole("button", { name: "Mails of Spring" }).boundingBox()
    expect(end).toBeLessThanOrEqual(unfold?.x ?? 0)
  }))

test("a campaign that was sent to nobody shows that it was sent 0 times", () =>
  visit({ path: null }, async ({ page, server }) => {
    const calls = callsTo(server)
    const nobody = {
      logic: "AND",
      groups: [{ filters: [{ field: "email", operator: "equals", value: "no@one.test" }] }],
    }
    const fields = { audienceType: "FILTERED", audienceCondition: nobody }
    const { data } = await calls.post("/campaigns", campaign("Empty", fields))
    await calls.post(`/campaigns/${data.id}/send`, {})
    await page.goto(`${server.url}/app/campaigns`)
    await page.getByRole("row", { name: "Empty" }).getByRole("cell", { name: "0", exact: true }).waitFor()
  }))
