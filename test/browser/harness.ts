import type { BrowserContextOptions, Page } from "playwright-core"
import { patienceMs } from "./chromium.ts"
import { addressOfTests, ownProfile, sharedProfile } from "./profile.ts"
import { type Mail, startSandbox, type TestServer } from "./sandbox-server.ts"

export { withBrowser } from "./chromium.ts"

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
  /** For a test that changes what its profile cannot take back, such as the clock. */
  alone?: boolean
}

/**
 * Opens the dashboard of a new server in an empty browser profile and lets the test use it. Whatever the test does, it also
 * fails when the page logs an error or asks another origin for anything.
 */
export async function visit(options: VisitOptions, test: (visit: Visit) => Promise<void>): Promise<void> {
  const { projects = 1, mails = [], path = "/app", allowed, alone = false, ...wishes } = options
  const address = addressOfTests()
  const isAlone = alone || Object.keys(wishes).length > 0
  const profile = await (isAlone ? ownProfile(wishes) : sharedProfile(address.url))
  const server = await startSandbox({ projects, address })
  try {
    for (const mail of mails) await server.sendMail(mail)
    const page = await profile.context.newPage()
    page.setDefaultTimeout(patienceMs)
    const troubles = watch(page, server.url, allowed)
    await page.goto(server.url + path)
    await test({ server, page, row: (subject) => page.locator("[data-mail]").filter({ hasText: subject }) })
    if (troubles.length > 0) throw new Error(`The page had troubles:\n${troubles.join("\n")}`)
  } finally {
    await profile.leave()
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
