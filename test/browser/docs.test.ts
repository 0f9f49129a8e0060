import { afterAll, beforeAll, expect, test } from "bun:test"
import type { BrowserContextOptions, Page } from "playwright-core"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { patienceMs, withBrowser } from "./chromium.ts"
import { ownProfile } from "./profile.ts"

withBrowser()

let it: TestApp
let url: string

beforeAll(async () => {
  it = await startTestApp({ mode: "sandbox", settings: { "smtp.submission_port": "0" } })
  url = (await it.app.start()).url
})
afterAll(() => it?.close())

/** Opens the page in a new profile; fails when it logs an error or requests anything from another origin. */
async function read(options: BrowserContextOptions, look: (page: Page) => Promise<void>, origin = url): Promise<void> {
  const { context, leave } = await ownProfile(options)
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(patienceMs)
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
    await look(page)
    expect(troubles).toEqual([])
  } finally {
    await leave()
  }
}

const section = (page: Page, title: string) =>
  page.locator("section.section", { has: page.getByRole("heading", { name: title, exact: true }) }).last()

test("the page shows every operation and requests nothing from other sites", () =>
  read({}, async (page) => {
    expect(await page.title()).toBe("Mailstead API")
    const { paths } = (await it.api("GET /openapi.json")).body
    const contents = page.getByRole("complementary")
    for (const { tags, summary } of Object.values<object>(paths).flatMap((item) => Object.values(item))) {
      const entry = contents.getByText(summary, { exact: true })
      if (!(await entry.isVisible())) await contents.getByText(tags[0], { exact: true }).first().click()
      await entry.waitFor()
    }
  }))

test.each(["light", "dark"] as const)("the page follows a %s system theme", (colorScheme) =>
  read({ colorScheme }, async (page) => {
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(ground).toBe(colorScheme === "dark" ? "rgb(25, 25, 29)" : "rgb(255, 255, 255)")
  }),
)

test("on a narrow screen nothing is wider than the screen", () =>
  read({ viewport: { width: 380, height: 780 } }, async (page) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  }))

test("a key that is typed into the page is not stored", () =>
  read({}, async (page) => {
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

test("a request sent from the page of a sandbox has its key and succeeds under any host name", () =>
  read(
    {},
    async (page) => {
      await page.goto(`${page.url()}#tag/public-api/POST/v1/send`)
      await section(page, "Send a transactional email")
        .getByRole("button", { name: /Test Request/ })
        .click()
      const answered = page.waitForResponse((response) => response.request().method() === "POST")
      await page.getByRole("button", { name: /^Send post request/ }).click()
      const answer = await answered
      expect([answer.status(), new URL(answer.url()).pathname]).toEqual([200, "/v1/send"])
      const { data } = (await it.api("GET /emails", { key: "sk_sandbox" })).body
      expect(data.map(({ subject }: { subject: string }) => subject)).toEqual(["Order 991", "Order 991"])
    },
    url.replace("127.0.0.1", "localhost"),
  ))
