import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callsTo } from "./calls.ts"
import { visit, withBrowser } from "./harness.ts"

withBrowser()

/** What a page may transfer at its first view. */
const mostKilobytes = 290
/** 1.6 Mbit/s with the latency of a mobile network, as browsers call it. */
const network = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 0 }

interface FirstView {
  readonly path: string
  readonly kilobytes: number
  readonly ms: number
}

/** Opens a page with an empty cache on a slow network; what it transferred and how long it took until its heading was there. */
async function firstView(page: Page, url: string, path: string): Promise<FirstView> {
  const session = await page.context().newCDPSession(page)
  await session.send("Network.enable")
  await session.send("Network.clearBrowserCache")
  await session.send("Network.emulateNetworkConditions", network)
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 })
  let bytes = 0
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto("about:blank")
  const started = performance.now()
  await page.goto(`${url}/app${path}`, { waitUntil: "commit" })
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" })
  const ms = performance.now() - started
  await page.waitForLoadState("networkidle")
  await session.detach()
  return { path, kilobytes: Math.round(bytes / 1_000), ms: Math.round(ms) }
}

test("the first view of a page transfers less than 290 KB, without the code editor", () =>
  visit({ path: "/app/inbox", alone: true }, async ({ page, server }) => {
    const { addTemplate, addContacts } = callsTo(server)
    await addContacts(60)
    await addTemplate({})
    await server.sendMail({ subject: "One" })
    const views: FirstView[] = []
    for (const path of ["/inbox", "/contacts", "/segments", "/segments/new", "/events", "/campaigns", "/templates"])
      views.push(await firstView(page, server.url, path))
    console.table(views)
    expect(views.filter(({ kilobytes }) => kilobytes > mostKilobytes)).toEqual([])
  }))
