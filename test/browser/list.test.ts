import { expect, test } from "bun:test"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

test("an empty inbox shows how to send, with the project's own key and the real addresses", () =>
  visit({ permissions: ["clipboard-read", "clipboard-write"] }, async ({ page, server }) => {
    await page.getByRole("heading", { name: "Waiting for your first mail" }).waitFor()
    const command = await page.getByRole("region", { name: "curl command" }).textContent()
    expect(command).toContain(`${server.url}/v1/send`)
    expect(command).toContain("Bearer sk_sandbox")
    await page.getByRole("button", { name: "Copy curl command" }).click()
    await page.getByRole("button", { name: "Copy curl command" }).locator("svg.tabler-icon-check").waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command ?? "")

    await page.getByRole("tab", { name: "SMTP" }).click()
    const settings = page.getByLabel("SMTP settings")
    expect(await settings.textContent()).toContain("127.0.0.1")
    expect(await settings.textContent()).toContain("sk_sandbox")
  }))

test("the sample is sent through the API, arrives in the inbox and is opened", () =>
  visit({}, async ({ page, row }) => {
    await page.getByRole("button", { name: "Send a sample" }).click()
    await row("It works").waitFor()
    await page.getByRole("article", { name: "Message" }).getByRole("heading", { name: "It works" }).waitFor()
    expect(await page.getByText("Waiting for your first mail").count()).toBe(0)
  }))

test("the list shows sender, recipient and subject, newest first", () =>
  visit(
    {
      mails: [
        { subject: "First", fromName: "Shop", to: "ada@example.com" },
        { subject: "Second", from: "root@db1.internal", to: "ops@example.com", by: "smtp", text: "done" },
      ],
    },
    async ({ page, row }) => {
      await row("First").filter({ hasText: "Hello" }).waitFor()
      await row("Second").filter({ hasText: "done" }).waitFor()
      const rows = await page.locator("[data-mail]").allInnerTexts()
      expect(rows.map((text) => text.split("\n").filter((line) => line !== ""))).toMatchObject([
        ["root@db1.internal", "now", "Second", "done", "to ops@example.com", "Delivered"],
        ["Shop", "now", "First", "Hello", "to ada@example.com", "Delivered"],
      ])
      expect(await page.getByRole("heading", { name: "Today" }).count()).toBe(1)
    },
  ))

test("search filters the list and clearing it shows all mail", () =>
  visit({ mails: [{ subject: "Invoice" }, { subject: "Welcome", to: "grace@example.com" }] }, async ({ page, row }) => {
    await row("Invoice").waitFor()
    await page.getByLabel("Search mail").fill("GRACE")
    await row("Invoice").waitFor({ state: "detached" })
    expect(await page.locator("[data-mail]").count()).toBe(1)
    await page.getByText("1 found").waitFor()

    await row("Welcome").click()
    await page.getByRole("heading", { name: "Welcome" }).waitFor()
    await page.reload()
    await page.getByText("1 found").waitFor()
    expect(await page.getByLabel("Search mail").inputValue()).toBe("GRACE")

    await page.getByLabel("Search mail").fill("nobody")
    await page.getByText("No mail matches.").waitFor()
    await page.getByRole("button", { name: "Show all mail" }).click()
    await row("Invoice").waitFor()
    expect(await page.locator("[data-mail]").count()).toBe(2)
  }))

test("the status filter shows only mail with that status", () =>
  visit(
    { mails: [{ subject: "Arrived" }, { subject: "Lost", to: "bounce@simulator.test" }] },
    async ({ page, row }) => {
      await row("Arrived").waitFor()
      await page.getByRole("button", { name: "Filter mail" }).click()
      await page.getByRole("menuitemradio", { name: "Bounced" }).click()
      await row("Arrived").waitFor({ state: "detached" })
      expect(await row("Lost").count()).toBe(1)
    },
  ))

test("mail that arrives appears without a reload and is announced", () =>
  visit({ mails: [{ subject: "Old" }] }, async ({ page, server, row }) => {
    await row("Old").waitFor()
    await page.getByRole("img", { name: "New mail appears by itself" }).waitFor()
    await server.sendMail({ subject: "Fresh", fromName: "Shop" })
    await row("Fresh").waitFor()
    expect(await page.locator("[data-mail]").first().textContent()).toContain("Fresh")
    await page.getByRole("status").filter({ hasText: "New mail from Shop: Fresh" }).waitFor({ state: "attached" })
  }))

test("a later change of status is shown without a reload", () =>
  visit({ mails: [{ subject: "Old" }] }, async ({ page, server, row }) => {
    await row("Old").waitFor()
    await page.getByRole("img", { name: "New mail appears by itself" }).waitFor()
    await server.sendMail({ subject: "Lost", to: "bounce@simulator.test" })
    await row("Lost").filter({ hasText: "Bounced" }).waitFor()
  }))

test("a lost connection is restored and the list is updated", () =>
  visit({ mails: [{ subject: "Before" }], allowed: /ERR_FAILED/ }, async ({ page, server, row }) => {
    await page.route("**/app/live/*", (route) => route.abort())
    await page.reload()
    await page.getByRole("img", { name: "Connection lost, trying again" }).waitFor()
    await page.getByRole("status").filter({ hasText: "Not connected to the server." }).waitFor()
    await row("Before").waitFor()
    await server.sendMail({ subject: "Meanwhile" })
    await page.unroute("**/app/live/*")
    await page.getByRole("img", { name: "New mail appears by itself" }).waitFor()
    await row("Meanwhile").waitFor()
    await page.getByText("Not connected to the server.").waitFor({ state: "detached" })
  }))

test("a tab that nobody sees leaves its connection to others, and has what it missed when it is seen again", () =>
  visit({ mails: [{ subject: "Before" }] }, async ({ page, server, row }) => {
    const live = page.getByRole("img", { name: "New mail appears by itself" })
    await live.waitFor()
    const become = (state: string) =>
      page.evaluate((now) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now })
        document.dispatchEvent(new Event("visibilitychange"))
      }, state)
    const ended = page.waitForEvent("requestfailed", (request) => request.url().includes("/app/live/"))
    await become("hidden")
    await ended
    await server.sendMail({ subject: "Meanwhile" })
    expect(await row("Meanwhile").count()).toBe(0)
    await become("visible")
    await row("Meanwhile").waitFor()
    await live.waitFor()
  }))

test("an expired session of the sandbox is renewed automatically", () =>
  visit({ mails: [{ subject: "Before" }], allowed: /ERR_FAILED|401/ }, async ({ page, server, row }) => {
    await page.route("**/app/live/*", (route) => route.abort())
    await page.reload()
    await row("Before").waitFor()
    await page.getByRole("img", { name: "Connection lost, trying again" }).waitFor()
    await page.context().clearCookies()
    await page.unroute("**/app/live/*")
    await page.getByRole("img", { name: "New mail appears by itself" }).waitFor()
    await server.sendMail({ subject: "After" })
    await row("After").waitFor()
  }))

test("older mail is loaded while scrolling", () => {
  const mails = Array.from({ length: 120 }, (_, index) => ({ subject: `Mail ${index + 1} of many` }))
  return visit({ mails }, async ({ page, row }) => {
    await row("Mail 120 of many").waitFor()
    await page.getByText("120 messages, 120 unread").waitFor()
    await row("Mail 120 of many").click()
    await page.getByText("120 messages, 119 unread").waitFor()
    expect(await page.locator("[data-mail]").count()).toBeLessThan(120)
    await page.waitForFunction(() => {
      const list = document.querySelector("[data-mail-list]")
      list?.scrollTo(0, list.scrollHeight)
      return document.querySelectorAll("[data-mail]").length >= 120
    })
    expect(await page.locator("[data-mail]").count()).toBe(120)
  })
})
