import type { BrowserContextOptions, Page } from "playwright-core"
import type { Settings } from "../../src/config.ts"
import { type AccountServer, startServer } from "./account-server.ts"
import { stepTimeoutMs } from "./chromium.ts"
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
  /** Mails sent before the page is opened, oldest first. */
  mails?: readonly Mail[]
  /** Null for a test that opens a page itself, once what that shows is there. */
  path?: string | null
  /** Console errors that the test expects. */
  allowed?: RegExp
  readonly settings?: Settings
  /** For a test with changes that a shared page cannot revert, such as the clock. */
  alone?: boolean
}

/**
 * Opens the dashboard of a new server in an empty browser profile and lets the test use it. The test also fails when
 * the page logs an error or requests anything from another origin.
 */
export async function visit(options: VisitOptions, test: (visit: Visit) => Promise<void>): Promise<void> {
  const { projects = 1, mails = [], path = "/app", settings = {}, ...wishes } = options
  const server = await startSandbox({ projects, address: addressOfTests(), settings })
  await browse(server, wishes, async (page) => {
    for (const mail of mails) await server.sendMail(mail)
    if (path !== null) await page.goto(server.url + path)
    await test({ server, page, row: (subject) => page.locator("[data-mail]").filter({ hasText: subject }) })
  })
}

/** Opens the dashboard of a new server to which nobody is signed in; loopback may create the first account. */
export async function visitServer(
  { path = "/app", settings = {}, allowed = /401/, freeBytes, ...wishes }: ServerVisitOptions,
  test: (visit: { server: AccountServer; page: Page }) => Promise<void>,
): Promise<void> {
  const server = await startServer({ address: addressOfTests(), settings, freeBytes })
  await browse(server, { ...wishes, allowed }, async (page) => {
    if (path !== null) await page.goto(server.url + path)
    await test({ server, page })
  })
}

interface ServerVisitOptions extends Omit<VisitOptions, "projects" | "mails" | "settings"> {
  readonly settings?: Settings
  readonly freeBytes?: number
}

async function browse(
  server: { readonly url: string; stop(): Promise<void> },
  {
    allowed,
    alone = false,
    viewport,
    colorScheme = "light",
    forcedColors = null,
    contrast = null,
    ...rest
  }: Pick<VisitOptions, "allowed" | "alone"> & BrowserContextOptions,
  test: (page: Page) => Promise<void>,
): Promise<void> {
  const isAlone = alone || Object.keys(rest).length > 0
  try {
    const profile = await (isAlone ? ownProfile(rest) : sharedProfile(server.url))
    try {
      const { page } = profile
      // It would stay in the page for the tests that share it.
      if (!isAlone) page.clock.install = () => Promise.reject(new Error("A test that sets the clock is `alone`."))
      // Of the page rather than of its profile, because a profile of its own would load every script anew.
      if (viewport) await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, forcedColors, contrast })
      page.setDefaultTimeout(stepTimeoutMs)
      const troubles = watch(page, server.url, allowed)
      await test(page)
      if (troubles.length > 0)
        throw new Error(`The page had troubles that the test does not expect (\`allowed\`):\n${troubles.join("\n")}`)
    } finally {
      await profile.leave()
    }
  } finally {
    await server.stop()
  }
}

/** The path of the current page, without its project. */
export const pathOf = (page: Page): string => new URL(page.url()).pathname.replace(/^\/app\/p\/[^/]+/, "/app")

/** What a page of the dashboard has while something is still loading. */
export const stillLoading = "#frame, [aria-label^=Loading], [aria-busy=true], .mantine-Skeleton-root"

/** Waits until the page has its heading, and nothing is still loading. */
export const loaded = (page: Page) =>
  page.waitForFunction(
    (awaited) => document.querySelector("#root h1") !== null && document.querySelector(awaited) === null,
    stillLoading,
  )

/** Leads the dashboard to a page as a link in it does, which takes a third of the time to load the page. */
export async function moveTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, "", to), path)
  await loaded(page)
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

/** A server on another port that counts requests for images, and has a page with a script. */
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
