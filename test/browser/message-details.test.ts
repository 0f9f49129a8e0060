import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

const frame = (page: Page) => page.frameLocator("iframe[title='Message body']")
const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>`

test("an SVG data URL in a mail is not remote content", () =>
  visit(
    {
      mails: [
        {
          subject: "Logo",
          html: `<p style="background: url(&quot;data:image/svg+xml;utf8,${svg}&quot;)">Logo</p>
            <img src="data:image/svg+xml;utf8,${svg}" alt=""><style>p { content: url("data:image/svg+xml;utf8,${svg}") }</style>`,
        },
      ],
    },
    async ({ page, row }) => {
      await row("Logo").click()
      await frame(page).getByText("Logo").waitFor()
      expect(await page.getByText("Remote content is off").count()).toBe(0)
    },
  ))

test("a mail without a sender says so in the list and on its page", () =>
  visit({}, async ({ page, server, row }) => {
    await server.sendRaw("Subject: Bounce\r\n\r\nIt could not be delivered", "")
    await row("Bounce").getByText("(no sender)").waitFor()
    await row("Bounce").click()
    await page.getByRole("heading", { name: "Bounce" }).waitFor()
    await page.locator("header strong").getByText("(no sender)").waitFor()
  }))

test("a mail that this server did not send says why in words", () =>
  visit({}, async ({ page, server, row }) => {
    const { post, patch, addTemplate } = callsTo(server)
    const { id: contactId } = await post("/contacts", { email: "ada@example.com", subscribed: false })
    const { id: templateId } = await addTemplate({ subject: "News", type: "MARKETING" })
    const { id } = await post("/workflows", { name: "Welcome", eventName: "signup" })
    await post(`/workflows/${id}/steps`, { type: "SEND_EMAIL", name: "Greeting", config: { templateId } })
    await patch(`/workflows/${id}`, { enabled: true })
    await post(`/workflows/${id}/executions`, { contactId })
    await row("News").click()
    await page.getByRole("note").getByText("Not sent: the contact is unsubscribed.").waitFor()
  }))

test("a text-only mail opens on its text", () =>
  visit({ mails: [{ subject: "Plain", by: "smtp", text: "Only words" }] }, async ({ page, row }) => {
    await row("Plain").click()
    await page.getByRole("tab", { name: "Text", selected: true }).waitFor()
    await page.getByRole("region", { name: "Message text" }).getByText("Only words").waitFor()
    expect(await page.getByRole("tab", { name: "HTML" }).count()).toBe(0)
  }))

test("of a very long text the beginning is shown, with links for its first URLs", () => {
  const text = `${"https://shop.test/a\n".repeat(1_100)}${"word ".repeat(60_000)}`
  return visit({ mails: [{ subject: "Long", by: "smtp", text }] }, async ({ page, row }) => {
    await row("Long").click()
    await page.getByText(/^The first 262,144 characters of 3\d\d,\d{3} characters/).waitFor()
    const shown = page.getByRole("region", { name: "Message text" })
    expect((await shown.textContent())?.length).toBe(262_144)
    expect(await shown.getByRole("link").count()).toBe(1_000)
  })
})

test("the initials of a sender are whole characters", () =>
  visit({ mails: [{ subject: "Party", fromName: "Emoji 🎉 Party" }] }, async ({ page, row }) => {
    await row("Party").click()
    await page.getByRole("article", { name: "Message" }).locator(".mantine-Avatar-root").getByText("EP").waitFor()
  }))

test("the name of an attachment cannot turn its direction to hide its extension", () => {
  const attachments = [{ filename: "photo\u202egnp.exe", contentType: "image/png", content: "aGk=" }]
  return visit({ mails: [{ subject: "Photo", by: "smtp", text: "Look", attachments }] }, async ({ page, row }) => {
    await row("Photo").click()
    const file = page.getByRole("list", { name: "Attachments" }).getByRole("link")
    await file.getByText(".exe").waitFor()
    expect(await file.textContent()).toStartWith("photo\ufffdgnp.exe")
    expect(await file.getAttribute("title")).toBe("Save photo\ufffdgnp.exe (image/png)")
  })
})

test("twelve attachments are all visible with names that differ, and leave room for the mail", () => {
  const names = Array.from(
    { length: 12 },
    (_, at) => `A long name of a document that nobody can read in full ${at}.xlsx`,
  )
  const attachments = names.map((filename) => ({ filename, contentType: "text/plain", content: "aGk=" }))
  const mail = { subject: "Files", by: "smtp", html: "<p>See the files.</p>", attachments } as const
  return visit({ mails: [mail] }, async ({ page, row }) => {
    await row("Files").click()
    const list = page.getByRole("list", { name: "Attachments" })
    await list.waitFor()
    await frame(page).getByText("See the files.").waitFor()
    for (const size of [
      { width: 1_280, height: 800 },
      { width: 900, height: 600 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      const seen = await list.evaluate((element) => {
        const box = element.getBoundingClientRect()
        const ends = [...element.querySelectorAll("a span span:last-child")]
        return {
          beyond: [...element.querySelectorAll("li")].filter((item) => {
            const { right, bottom } = item.getBoundingClientRect()
            return right > box.right + 1 || bottom > box.bottom + 1
          }).length,
          cut: ends.filter((end) => end.scrollWidth > end.clientWidth + 1 || !end.textContent?.endsWith(".xlsx"))
            .length,
          different: new Set(ends.map((end) => end.textContent)).size,
        }
      })
      expect(seen).toEqual({ beyond: 0, cut: 0, different: names.length })
      const body = await page.locator("iframe[title='Message body']").boundingBox()
      expect(body?.height).toBeGreaterThan(300)
    }
  })
})

test("keys typed right after the palette closes are not lost", () =>
  visit({ mails: [{ subject: "One" }, { subject: "Two" }] }, async ({ page, row }) => {
    await row("Two").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Command" }).waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.press("j")
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("Two"))
  }))

test("a mail that cannot be shown in full says so", () =>
  visit({ mails: [{ subject: "Whole" }] }, async ({ page, server, row }) => {
    const parts = Array.from({ length: 600 }, (_, at) => `--b\r\nContent-Type: text/plain\r\n\r\nPart ${at}\r\n`).join(
      "",
    )
    const head = 'Subject: In parts\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
    await server.sendRaw(`From: a@shop.test\r\nTo: b@x.test\r\n${head}${parts}--b--\r\n`)
    await row("In parts").click()
    const note = page.getByRole("note").filter({ hasText: "too large or too broken to be shown in full" })
    await note.waitFor()
    await row("Whole").click()
    await page.frameLocator("iframe").getByText("Hello").waitFor()
    expect(await note.count()).toBe(0)
    const encoded = "Subject: Broken\r\nContent-Transfer-Encoding: base64\r\n\r\naGVs*bG8=\r\n"
    await server.sendRaw(`From: a@shop.test\r\nTo: b@x.test\r\n${encoded}`)
    await row("Broken").click()
    await page.getByRole("note").filter({ hasText: "not the base64 that it says it is" }).waitFor()
  }))
