import type { Page } from "playwright-core"

/** 1.6 Mbit/s to the browser. The server is on this machine, so that its answers take no time to travel. */
const network = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 0 }
/** How much slower than this machine the browser's is. */
const slowdown = 4

export const pagesOfProject = [
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

export interface FirstView {
  readonly path: string
  /** Transferred until the page had been idle for half a second. */
  readonly kilobytes: number
  /** From the request of the page until its content was there: a heading, and nothing that is still loading. */
  readonly ms: number
  /** All scripts that were loaded. */
  readonly code: string
}

export interface FirstViewOptions {
  /** Over a slow connection, on a slow machine. */
  readonly slow?: boolean
  /** An element to wait for, in addition. */
  readonly last?: string
}

/** Opens a page of the dashboard with an empty cache. */
export async function firstView(
  page: Page,
  url: string,
  path: string,
  { slow = false, last = "h1" }: FirstViewOptions = {},
): Promise<FirstView> {
  const session = await page.context().newCDPSession(page)
  await session.send("Network.enable")
  await session.send("Network.clearBrowserCache")
  if (slow) {
    await session.send("Network.emulateNetworkConditions", network)
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
  }
  let bytes = 0
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const scripts: Promise<string>[] = []
  // What the page before still loads ends here.
  await page.goto("about:blank")
  page.on("response", (answer) => {
    if (answer.request().resourceType() === "script") scripts.push(answer.text())
  })
  await page.goto(`${url}/app${path}`, { waitUntil: "commit" })
  const seen = await page.waitForFunction(() =>
    document.querySelector("h1") && !document.querySelector("[aria-label^=Loading]") ? performance.now() : 0,
  )
  const ms = Math.round(await seen.jsonValue())
  await page.locator(last).first().waitFor({ state: "attached" })
  await page.waitForLoadState("networkidle")
  await session.detach()
  page.removeAllListeners("response")
  return { path, kilobytes: Math.round(bytes / 1_000), ms, code: (await Promise.all(scripts)).join("\n") }
}
