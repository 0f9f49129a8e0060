import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { BrowserContextOptions, Page } from "playwright-core"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { stepTimeoutMs, withBrowser } from "./chromium.ts"
import { ownProfile, type Profile } from "./profile.ts"

withBrowser()

let it: TestApp
let url: string

beforeAll(async () => {
  it = await startTestApp({ mode: "sandbox", settings: { "smtp.submission_port": "0" } })
  url = (await it.app.start()).url
})
afterAll(() => it?.close())

interface Reading {
  readonly page: Page
  /** Errors that the page has logged, and its requests to other origins. */
  readonly troubles: string[]
}

/**
 * Opens the page in a new profile for several tests, because its scripts take seconds to run; each of them fails when
 * the page logs an error or requests anything from another origin. After a test that failed, the next one has a new page.
 */
function reading(options: BrowserContextOptions, host = "127.0.0.1") {
  let profile: Profile | undefined
  let opened: Reading | undefined
  const open = async (): Promise<Reading> => {
    await profile?.leave()
    const origin = url.replace("127.0.0.1", host)
    profile = await ownProfile(options)
    const { page } = profile
    page.setDefaultTimeout(stepTimeoutMs)
    const troubles: string[] = []
    page.on("pageerror", (error) => troubles.push(`uncaught: ${error.message}`))
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`)
    })
    page.on("request", (request) => {
      if (!new RegExp(`^(?:${origin}/|data:|blob:)`).test(request.url())) troubles.push(`foreign: ${request.url()}`)
    })
    await page.goto(`${origin}/docs`)
    await page.getByRole("heading", { name: "Mailstead API" }).first().waitFor()
    return { page, troubles }
  }
  beforeAll(async () => {
    opened = await open()
  }, stepTimeoutMs)
  afterAll(() => profile?.leave())
  return async (look: (page: Page) => Promise<void>): Promise<void> => {
    const { page, troubles } = opened ?? (await open())
    opened = undefined
    await look(page)
    expect(troubles).toEqual([])
    opened = { page, troubles }
  }
}

const section = (page: Page, title: string) =>
  page.locator("section.section", { has: page.getByRole("heading", { name: title, exact: true }) }).last()

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

describe("on a wide screen with a light system theme", () => {
  const read = reading({ colorScheme: "light" })

  test("the page follows the theme", () =>
    read(async (page) => {
      expect(await background(page)).toBe("rgb(255, 255, 255)")
    }))

  test("the page shows every operation and requests nothing from other sites", () =>
    read(async (page) => {
      expect(await page.title()).toBe("Mailstead API")
      const { paths } = (await it.api("GET /openapi.json")).body
      const operations = Object.values<object>(paths).flatMap((item) => Object.values(item))
      const contents = await page.getByRole("complementary").elementHandle()
      // One look at the text for all operations: the page is so large that a locator for each would take 20 s.
      const missing = (wanted: readonly string[]) =>
        contents?.evaluate((element, all) => {
          // biome-ignore lint/performance/useDomNodeTextContent: what is collapsed is not shown
          const shown = new Set((element as HTMLElement).innerText.split("\n").map((line) => line.trim()))
          return all.filter((one) => !shown.has(one))
        }, wanted)
      // All tags that are there are opened in one turn, which the page draws once; each look takes a layout of all of it.
      const open = () =>
        contents?.evaluate((element) => {
          for (const closed of element.querySelectorAll<HTMLElement>("[aria-expanded=false]")) closed.click()
        })
      const summaries = operations.map(({ summary }) => summary)
      await open()
      while ((await missing(summaries))?.length !== 0) {
        await page.waitForTimeout(500)
        await open()
      }
    }))

  test("a key that is typed into the page is not stored", () =>
    read(async (page) => {
      await page.getByText("Select Auth Type").first().click()
      await page.getByRole("option", { name: "secretKey" }).first().click()
      await page.keyboard.press("Escape")
      const field = page.locator("input[type=password], input[placeholder=Token]").first()
      await field.fill("sk_typed")
      // A setting that the page does store, changed last and so written last.
      await page.getByRole("tab", { name: /Ruby/ }).first().click()
      await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("ruby"))
      const kept = await page.evaluate(async () => [
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
        (await indexedDB.databases()).length,
      ])
      expect(kept).toEqual([expect.not.stringContaining("sk_typed"), 0])
    }))
})

describe("on a narrow screen with a dark system theme", () => {
  const read = reading({ colorScheme: "dark", viewport: { width: 380, height: 780 } })

  test("the page follows the theme", () =>
    read(async (page) => {
      expect(await background(page)).toBe("rgb(25, 25, 29)")
    }))

  test("nothing is wider than the screen", () =>
    read(async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
    }))
})

describe("under another host name", () => {
  const read = reading({}, "localhost")

  test("a request sent from the page of a sandbox has its key and succeeds", () =>
    read(async (page) => {
      const before = (await it.api("GET /emails", { key: "sk_sandbox" })).body.total
      await page.goto(`${page.url()}#tag/public-api/POST/v1/send`)
      await section(page, "Send a transactional email")
        .getByRole("button", { name: /Test Request/ })
        .click()
      const answered = page.waitForResponse((response) => response.request().method() === "POST")
      await page.getByRole("button", { name: /^Send post request/ }).click()
      const answer = await answered
      expect([answer.status(), new URL(answer.url()).pathname]).toEqual([200, "/v1/send"])
      const { data, total } = (await it.api("GET /emails", { key: "sk_sandbox" })).body
      expect(total - before).toBe(2)
      expect(new Set(data.map(({ subject }: { subject: string }) => subject))).toEqual(new Set(["Order 991"]))
    }))
})
