import { afterAll, beforeAll, setDefaultTimeout } from "bun:test"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { type Mail, startSandbox, type TestServer } from "./sandbox-server.ts"

let browser: Browser | undefined

/** Keeps one browser for the tests of the file that calls it. */
export function withBrowser(): void {
  setDefaultTimeout(30_000)
  beforeAll(async () => {
    const found = ["chromium", "chromium-browser", "google-chrome"].map((name) => Bun.which(name)).find((path) => path)
    if (!found) throw new Error("The browser tests need Chromium: none of the usual names is in the PATH.")
    browser = await chromium.launch({ executablePath: found, args })
  })
  afterAll(() => browser?.close())
}

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

export interface Visit {
  readonly server: TestServer
  readonly page: Page
  /** Waits for the row of the mail with this subject. */
  row(subject: string): ReturnType<Page["locator"]>
}

export interface VisitOptions extends BrowserContextOptions {
  projects?: number
  /** Mails that are there before the page is opened, oldest first. */
  mails?: readonly Mail[]
  path?: string
  /** Console errors that belong to what the test does. */
  allowed?: RegExp
}

/**
 * Opens the dashboard of a new server in a new browser profile and lets the test use it. Whatever the test does, it also
 * fails when the page logs an error or asks another origin for anything.
 */
export async function visit(options: VisitOptions, test: (visit: Visit) => Promise<void>): Promise<void> {
  const { projects = 1, mails = [], path = "/app", allowed, ...contextOptions } = options
  const server = await startSandbox({ projects })
  if (!browser) throw new Error("visit needs withBrowser in the file")
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...contextOptions })
  try {
    for (const mail of mails) await server.sendMail(mail)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    const troubles = watch(page, server.url, allowed)
    await page.goto(server.url + path)
    await test({ server, page, row: (subject) => page.locator("[data-mail]").filter({ hasText: subject }) })
    if (troubles.length > 0) throw new Error(`The page had troubles:\n${troubles.join("\n")}`)
  } finally {
    await context.close()
    await server.stop()
  }
}

function watch(page: Page, origin: string, allowed: RegExp | undefined): string[] {
  const troubles: string[] = []
  page.on("pageerror", (error) => troubles.push(`uncaught: ${error.message}`))
  page.on("console", (message) => {
    if (message.type() === "error" && !allowed?.test(message.text())) troubles.push(`console: ${message.text()}`)
  })
  page.on("request", (request) => {
    const url = request.url()
    const ours = url.startsWith(`${origin}/`) || /^(data|blob):/.test(url)
    if (!ours && !allowed?.test(url)) troubles.push(`foreign request: ${url}`)
  })
  return troubles
}

/** A server on another port that counts who asks it for pictures, and has a page with a script. */
export function startOutsider() {
  let pictures = 0
  const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      if (new URL(request.url).pathname === "/page") {
        return new Response(
          "<title>outside</title><script>document.title = opener ? 'opener' : 'script ran'</script>",
          {
            headers: { "Content-Type": "text/html" },
          },
        )
      }
      pictures += 1
      return new Response(pixel, { headers: { "Content-Type": "image/gif", "Cache-Control": "no-store" } })
    },
  })
  return { url: server.url.origin, pictures: () => pictures, stop: () => server.stop(true) }
}
