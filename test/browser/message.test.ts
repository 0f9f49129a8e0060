import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { startOutsider, visit, withBrowser } from "./harness.ts"

withBrowser()

const frame = (page: Page) => page.frameLocator("iframe[title='Message body']")

test("a click opens the mail with its HTML, people and origin", () =>
  visit(
    {
      mails: [
        {
          subject: "Your receipt",
          fromName: "Shop",
          from: "hello@shop.test",
          toName: "Ada Lovelace",
          html: "<h1>Thank you</h1>",
          template: "Receipt",
          data: { plan: "pro" },
        },
      ],
    },
    async ({ page, row }) => {
      await page.route("**/templates/*", (route) =>
        route.fulfill({ json: { id: "t", name: "Receipt", subject: "Receipt", type: "TRANSACTIONAL" } }),
      )
      await row("Your receipt").click()
      const message = page.getByRole("article", { name: "Message" })
      await message.getByRole("heading", { name: "Your receipt" }).waitFor()
      await frame(page).getByRole("heading", { name: "Thank you" }).waitFor()
      for (const text of ["Shop", "hello@shop.test", "Ada Lovelace", "ada@example.com", "just now"]) {
        await message.locator("header").getByText(text, { exact: true }).first().waitFor()
      }
      const origin = page.getByRole("list", { name: "Origin" })
      await origin.getByRole("button", { name: "Via API" }).waitFor()
      await origin.getByRole("button", { name: "Project Sandbox" }).waitFor()
      await origin.getByRole("button", { name: "Template Receipt" }).waitFor()
      await origin.getByRole("button", { name: "Contact ada@example.com" }).click()
      await page.getByRole("region", { name: "Contact data" }).getByText('"plan": "pro"').waitFor()
    },
  ))

test("remote images are not loaded until requested", async () => {
  const outsider = startOutsider()
  const html = `<p style="background: url(${outsider.url}/a.gif)">Hi</p><img src="${outsider.url}/b.gif" alt="">`
  try {
    await visit(
      { mails: [{ subject: "Pictures", html }], allowed: /Content Security Policy|:\d+\/[ab]\.gif/ },
      async ({ page, row }) => {
        await row("Pictures").click()
        await page.getByText("Remote content is off").waitFor()
        await frame(page).getByText("Hi").waitFor()
        await bodyLoaded(page)
        expect(outsider.pictures()).toBe(0)

        const loaded = page.waitForResponse(`${outsider.url}/b.gif`)
        await page.getByRole("button", { name: "Load remote content" }).click()
        await loaded
        expect(outsider.pictures()).toBeGreaterThan(0)
        expect(await page.getByText("Remote content is off").count()).toBe(0)
      },
    )
  } finally {
    await outsider.stop()
  }
})

test("a mail without remote images offers nothing to load", () =>
  visit({ mails: [{ subject: "Plain", html: '<a href="https://shop.test/">Shop</a>' }] }, async ({ page, row }) => {
    await row("Plain").click()
    await frame(page).getByText("Shop").waitFor()
    expect(await page.getByText("Remote content is off").count()).toBe(0)
  }))

test("scripts in a mail do not run, in the frame or out of it", () =>
  visit(
    {
      mails: [
        {
          subject: "<img src=x onerror=\"document.title='subject'\">",
          fromName: "<b>Bold</b>",
          html: `<p>Hi</p><script>top.document.title = "script"</script>
            <img src="data:image/png;base64,AAAA" onerror="top.document.title='handler'"><a href="javascript:top.document.title='link'">x</a>`,
        },
      ],
      allowed: /Blocked script execution|Content Security Policy|sandboxed/,
    },
    async ({ page }) => {
      await page.locator("[data-mail]").click()
      await frame(page).getByText("Hi").waitFor()
      await bodyLoaded(page)
      await page.getByText("<b>Bold</b>").first().waitFor()
      expect(await page.title()).toContain("Inbox")
      const body = await page
        .locator("iframe")
        .elementHandle()
        .then((handle) => handle?.contentFrame())
      expect(await body?.evaluate(() => document.title)).toBe("")
      expect(await page.locator("iframe").getAttribute("sandbox")).toBe("allow-popups allow-popups-to-escape-sandbox")
    },
  ))

test("a link opens a new page outside the frame's sandbox", async () => {
  const outsider = startOutsider()
  try {
    const mail = { subject: "Link", html: `<a href="${outsider.url}/page">Confirm</a>` }
    await visit({ mails: [mail] }, async ({ page, row }) => {
      await row("Link").click()
      const opened = page.waitForEvent("popup")
      await frame(page).getByText("Confirm").click()
      const popup = await opened
      await popup.waitForFunction(() => document.title === "script ran")
    })
  } finally {
    await outsider.stop()
  }
})

test("text, headers and source each have a tab", () =>
  visit(
    { mails: [{ subject: "Parts", html: "<p>Hello there</p>", from: "hello@shop.test" }] },
    async ({ page, row }) => {
      await row("Parts").click()
      await page.getByRole("tab", { name: "Text" }).click()
      await page.getByRole("region", { name: "Message text" }).getByText("Hello").waitFor()
      await page.getByRole("tab", { name: "Headers" }).click()
      const headers = page.getByRole("region", { name: "Message headers" })
      await headers.getByRole("row", { name: "From" }).getByText("hello@shop.test").waitFor()
      await page.getByRole("tab", { name: "Source" }).click()
      const source = await page.getByRole("region", { name: "Message source" }).textContent()
      expect(source).toMatch(/^Subject: Parts\r?$/m)
    },
  ))

test("mail received by SMTP is marked, and its text has links", () =>
  visit(
    { mails: [{ subject: "Cron", by: "smtp", text: "See https://shop.test/a?b=1. Done" }] },
    async ({ page, row }) => {
      await row("Cron").click()
      await page.getByRole("button", { name: "Via SMTP" }).waitFor()
      await page.getByRole("tab", { name: "Text" }).click()
      const link = page.getByRole("region", { name: "Message text" }).getByRole("link")
      expect(await link.getAttribute("href")).toBe("https://shop.test/a?b=1")
    },
  ))

test("mail without HTML opens on its text", () =>
  visit({ mails: [{ subject: "Cron", by: "smtp", text: "pg_dump: done" }] }, async ({ page, row }) => {
    await page.route(/\/emails\/[0-9a-f-]+$/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), html: null } })
    })
    await row("Cron").click()
    await page.getByRole("region", { name: "Message text" }).getByText("pg_dump: done").waitFor()
    expect(await page.getByRole("tab", { name: "HTML" }).count()).toBe(0)
  }))

test("inline images are shown in place", () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  const logo = { filename: "logo.png", contentType: "image/png", content: pixel, contentId: "logo@shop" }
  const mail = { subject: "Logo", html: '<img src="cid:logo@shop" alt="logo">', attachments: [logo] }
  return visit({ mails: [mail] }, async ({ page, row }) => {
    await row("Logo").click()
    await frame(page).getByAltText("logo").waitFor({ state: "attached" })
    await bodyLoaded(page)
    const width = await frame(page)
      .getByAltText("logo")
      .evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))
    expect(width).toBe(1)
    await page.getByRole("link", { name: /logo ?\.png.*inline/ }).waitFor()
  })
})

test("attachments show their size and are saved unchanged", () =>
  visit(
    {
      mails: [
        {
          subject: "Files",
          attachments: [{ filename: "notes.txt", contentType: "text/plain", content: btoa("x".repeat(2048)) }],
        },
      ],
    },
    async ({ page, row }) => {
      await row("Files").click()
      const chip = page.getByRole("list", { name: "Attachments" }).getByRole("link", { name: /^notes ?\.txt 2\.0 KB$/ })
      const saving = page.waitForEvent("download")
      await chip.click()
      const download = await saving
      expect(download.suggestedFilename()).toBe("notes.txt")
      expect(await Bun.file(await download.path()).text()).toBe("x".repeat(2048))
    },
  ))

test("the source is saved as a file that mail programs open", () =>
  visit({ mails: [{ subject: "Order №5: paid!" }] }, async ({ page, row }) => {
    await row("Order").click()
    const saving = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download .eml" }).click()
    const download = await saving
    expect(download.suggestedFilename()).toBe("Order-5-paid.eml")
    expect(await Bun.file(await download.path()).text()).toMatch(/^From: .*hello@shop\.test/)
  }))

test("the preview can be switched to phone width, which persists", () =>
  visit({ mails: [{ subject: "Older" }, { subject: "Newer" }] }, async ({ page, row }) => {
    const width = async () => (await page.locator("iframe").boundingBox())?.width
    await row("Newer").click()
    await frame(page).getByText("Hello").waitFor()
    expect(await width()).toBeGreaterThan(500)
    await page.getByText("Phone width").locator("..").click()
    expect(await width()).toBe(377)
    await row("Older").click()
    await page.getByRole("heading", { name: "Older", level: 1 }).waitFor()
    expect(await width()).toBe(377)
  }))

/** Resolves once the frame has finished loading. */
async function bodyLoaded(page: Page): Promise<void> {
  const handle = await page.locator("iframe").elementHandle()
  const body = await handle?.contentFrame()
  await body?.waitForLoadState("load")
}

test("on a phone the whole of a long subject is shown", () => {
  const subject = `${"Your order of flowers ".repeat(12)}is on its way`
  return visit({ mails: [{ subject }], viewport: { width: 390, height: 800 } }, async ({ page, row }) => {
    await row(subject).click()
    const title = page.getByRole("article", { name: "Message" }).getByRole("heading", { name: subject })
    await title.waitFor()
    const { shown, whole } = await title.evaluate((node) => ({ shown: node.clientHeight, whole: node.scrollHeight }))
    expect(shown).toBe(whole)
    expect(shown).toBeGreaterThan(150)
  })
})

test("texts from right to left have their marks at their own end, in the list, the head and the text", () =>
  visit({}, async ({ page, server }) => {
    const lines = ["שלום, זה מבצע!", "Regards, Moshe."]
    const fields = ["From: sender@shop.test", `Subject: ${lines[0]}`, "Content-Type: text/plain; charset=utf-8"]
    await server.sendRaw([...fields, "", ...lines].join("\r\n"))
    const row = page.locator("[data-mail]")
    await row.click()
    const text = page.getByRole("region", { name: "Message text" })
    const places = [row.getByText("מבצע").first(), page.getByRole("heading", { name: "מבצע" }), text]
    for (const place of places) expect(await place.evaluate(leftOf, ["!", "ש"])).toBe(true)
    expect(await text.evaluate(leftOf, ["R", "h"])).toBe(true)
    expect(await text.evaluate(leftOf, ["h", "."])).toBe(true)
  }))

/** Whether the first of one character stands left of the first of another. */
function leftOf(element: Element, characters: string[]): boolean {
  const [one = 0, other = 0] = characters.map((character) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const at = node.textContent?.indexOf(character) ?? -1
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect().left
    }
    throw new Error(`no ${character}`)
  })
  return one < other
}
