import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { createApp } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { textsIn } from "../../src/mail/locales/index.ts"
import { languages } from "../../src/mail/render/index.ts"
import { stepTimeoutMs, withBrowser } from "./chromium.ts"
import { ownProfile } from "./profile.ts"

withBrowser()

let house: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  house = await open()
})
afterAll(() => house?.close())

/** A listening sandbox, with contacts and their hosted pages. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-pages-"))
  const settings = { data: folder, "http.port": "0", "smtp.submission_port": "0", "limits.requests_per_minute": "0" }
  const app = await createApp(loadConfig({ mode: "sandbox", options: settings }).config)
  const { url } = await app.start()
  const ask = async (path: string, body?: object) => {
    const headers = { Authorization: "Bearer sk_sandbox", "Content-Type": "application/json" }
    const answer = await fetch(url + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers })
    return answer.json()
  }
  return {
    url,
    /** A subscribed contact, and the links in a mail to them. */
    async reader(email: string, locale = "en") {
      const body = "{{unsubscribeUrl}} {{subscribeUrl}} {{manageUrl}}"
      const mail = { to: email, from: "hi@acme.test", subject: "Hi", body, subscribed: true, data: { locale } }
      const [sent] = (await ask("/v1/send", mail)).data.emails
      const { text } = await ask(`/emails/${sent.email}`)
      const [unsubscribe = "", subscribe = "", manage = ""] = text.split(" ")
      const isSubscribed = async () => (await ask(`/contacts/${sent.contact.id}`)).subscribed as boolean
      return { unsubscribe, subscribe, manage, isSubscribed }
    },
    async close() {
      await app.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Check = (page: Page) => Promise<void>

/** Opens a page in a profile of its own, see `looking`. */
const look = (url: string, options: BrowserContextOptions, check: Check) => looking(options, (open) => open(url, check))

/** Opens pages one after the other in one profile. Fails when one logs an error or requests anything else. */
async function looking(
  options: BrowserContextOptions,
  test: (open: (url: string, check: Check) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { page, leave } = await ownProfile(options)
  try {
    page.setDefaultTimeout(stepTimeoutMs)
    const troubles: string[] = []
    page.on("console", (message) => message.type() === "error" && troubles.push(message.text()))
    page.on("request", (request) => request.isNavigationRequest() || troubles.push(request.url()))
    await test(async (url, check) => {
      await page.goto(url)
      await check(page)
      expect(troubles).toEqual([])
    })
  } finally {
    await leave()
  }
}

const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 320, height: 568 }, hasTouch: true }
const dark = { ...phone, colorScheme: "dark" } as const
const plain = { ...desktop, javaScriptEnabled: false }

/** The contrast ratio of two colours (WCAG 2.1, 1.4.3). */
function contrast(one: string, other: string): number {
  const light = (color: string) => {
    const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [low = 0, high = 0] = [light(one), light(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ["on a desktop", desktop],
  ["on a small phone", phone],
  ["in the dark", dark],
  ["without scripts", plain],
] as const)("A recipient %s", (name, options) => {
  test("a recipient can unsubscribe, and subscribe again", async () => {
    const { unsubscribe, isSubscribed } = await house.reader(`leaves-${name.replaceAll(" ", "-")}@example.com`)
    await look(unsubscribe, options, async (page) => {
      await page.getByRole("heading", { name: "Do you want to unsubscribe?", level: 1 }).waitFor()
      expect(await isSubscribed()).toBe(true)
      await page.getByRole("button", { name: "Unsubscribe" }).click()
      await page.getByRole("heading", { name: "You are unsubscribed" }).waitFor()
      expect(await isSubscribed()).toBe(false)
      await page.getByRole("button", { name: "Subscribe again" }).click()
      await page.getByRole("heading", { name: "You are subscribed" }).waitFor()
      expect(await isSubscribed()).toBe(true)
    })
  })

  test("a recipient can choose on the manage page", async () => {
    const { manage, isSubscribed } = await house.reader(`chooses-${name.replaceAll(" ", "-")}@example.com`)
    await look(manage, options, async (page) => {
      expect(await page.getByRole("radio", { name: "Yes, please" }).isChecked()).toBe(true)
      await page.getByText("No, thank you").click()
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("status").getByText("Your choice has been saved.").waitFor()
      expect(await page.getByRole("radio", { name: "No, thank you" }).isChecked()).toBe(true)
      expect(await isSubscribed()).toBe(false)
    })
  })
})

test("all texts have contrast and all controls are large enough, in both colour schemes", async () => {
  const { unsubscribe, manage } = await house.reader("reads@example.com")
  for (const options of [phone, dark])
    for (const url of [unsubscribe, manage])
      await look(url, options, async (page) => {
        const texts = await page.evaluate(() => {
          const groundOf = (one: Element | null): string => {
            if (one === null) return "rgb(255, 255, 255)"
            const { backgroundColor } = getComputedStyle(one)
            return /, 0\)$/.test(backgroundColor) ? groundOf(one.parentElement) : backgroundColor
          }
          return [...document.querySelectorAll("h1, p, label, legend, button, .mark")].map((one) => [
            one.textContent?.trim() ?? "",
            getComputedStyle(one).color,
            groundOf(one),
          ])
        })
        expect(texts.length).toBeGreaterThan(3)
        for (const [text = "", color = "", ground = ""] of texts)
          expect([text, contrast(color, ground) >= 4.5]).toEqual([text, true])
        for (const button of await page.locator("button, label").all())
          expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      })
})

test("all controls can be reached by keyboard, with a visible focus", async () => {
  const { manage, isSubscribed } = await house.reader("keys@example.com")
  await look(manage, desktop, async (page) => {
    await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Tab")
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineWidth)
    expect(outline).toBe("3px")
    await page.keyboard.press("Enter")
    await page.getByRole("status").waitFor()
    expect(await isSubscribed()).toBe(false)
  })
})

test("no language makes a page wider than a small phone", () =>
  looking(phone, async (open) => {
    for (const locale of languages) {
      const { unsubscribe, subscribe, manage } = await house.reader(`${locale}@example.com`, locale)
      const title = textsIn[locale].askUnsubscribe
      for (const url of [unsubscribe, subscribe, manage])
        await open(url, async (page) => {
          expect([locale, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([locale, 320])
          expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
          if (url === unsubscribe) expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title)
        })
    }
  }))
