import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

/** What a page may transfer at its first view. */
const mostKilobytes = 250
/** 1.6 Mbit/s to the browser. The server is on this machine, so that its answers take no time to travel. */
const network = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 0 }

const pages = [
  "/inbox",
  "/contacts",
  "/contacts/fields",
  "/segments",
  "/segments/new",
  "/events",
  "/events/names",
  "/campaigns",
  "/templates",
]

/** By a text that only their scripts have. */
const loadedLater = {
  "the code editor": "cm-editor",
  "the chart": "The first 48 hours",
  "the palette": "Command palette",
  "the import of contacts": "Drop a CSV file here",
  "the rules of a segment": "Choose a field",
}
type Later = keyof typeof loadedLater

interface FirstView {
  readonly path: string
  readonly kilobytes: number
  readonly ms: number
  readonly loaded: readonly Later[]
}

/**
 * Opens a page with an empty cache: what it transferred until the element `last` was there, and how long it took until
 * its heading was.
 */
async function firstView(page: Page, url: string, path: string, last = "h1"): Promise<FirstView> {
  const session = await page.context().newCDPSession(page)
  await session.send("Network.enable")
  await session.send("Network.clearBrowserCache")
  await session.send("Network.emulateNetworkConditions", network)
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 })
  let bytes = 0
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const scripts: Promise<string>[] = []
  page.on("response", (answer) => {
    if (answer.request().resourceType() === "script") scripts.push(answer.text())
  })
  await page.goto("about:blank")
  const started = performance.now()
  await page.goto(`${url}/app${path}`, { waitUntil: "commit" })
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" })
  const ms = Math.round(performance.now() - started)
  await page.locator(last).first().waitFor({ state: "attached" })
  await page.waitForLoadState("networkidle")
  await session.detach()
  const code = (await Promise.all(scripts)).join("\n")
  page.removeAllListeners("response")
  const loaded = (Object.keys(loadedLater) as Later[]).filter((name) => code.includes(loadedLater[name]))
  return { path, kilobytes: Math.round(bytes / 1_000), ms, loaded }
}

test("the first view of each page transfers less than 250 KB, without the code editor, charts and dialogs", () =>
  visit({ path: "/app/inbox", alone: true }, async ({ page, server }) => {
    const { addTemplate, addContacts } = callsTo(server)
    await addContacts(60)
    const { id } = await addTemplate({})
    await server.sendMail({ subject: "One" })
    const views: FirstView[] = []
    for (const path of pages) views.push(await firstView(page, server.url, path))
    console.table(views.map(({ path, kilobytes, ms }) => ({ path, kilobytes, ms })))
    expect(views.filter(({ kilobytes, loaded }) => kilobytes >= mostKilobytes || loaded.length > 0)).toEqual([])
    // It would be noticed: the editor of a template has the code editor at once.
    expect((await firstView(page, server.url, `/templates/${id}`, ".cm-editor")).loaded).toEqual(["the code editor"])
  }))
