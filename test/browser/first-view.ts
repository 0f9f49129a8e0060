import type { Page } from "playwright-core"
import { longestWaitMs } from "../../src/dashboard/ui/first-sign.ts"
import { stillLoading } from "./harness.ts"

/** 1.6 Mbit/s to the browser. The server is on this machine, so that its answers take no time to travel. */
const network = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 0 }
/** How much slower than this machine the browser's is. */
const slowdown = 4

export const pagesOfProject = [
  "/inbox",
  "/activity",
  "/contacts",
  "/contacts/fields",
  "/segments",
  "/segments/new",
  "/events",
  "/events/names",
  "/campaigns",
  "/workflows",
  "/templates",
  "/analytics",
  "/domains",
  "/settings",
]

export interface FirstView {
  readonly path: string
  /** Transferred until the page had been idle for half a second. */
  readonly kilobytes: number
  /** From the request of the page until its heading was painted, with the navigation. */
  readonly headingMs: number
  /** Until its content was there, and nothing was still loading. */
  readonly dataMs: number
  /** All scripts that were loaded. */
  readonly code: string
  /** The paths of scripts that the document does not name, so that they were requested only after others. */
  readonly late: readonly string[]
}

interface FirstViewOptions {
  /** Over a slow connection, on a slow machine. */
  readonly slow?: boolean
  /** An element to wait for, in addition, which comes after the first view. */
  readonly last?: string
}

/** Puts off for good what comes after the first view, so that it does not come into it on a slow machine. */
function withoutLate(lateMs: number) {
  const { setTimeout } = window
  const timer = (work: TimerHandler, ms?: number, ...rest: unknown[]) =>
    ms === lateMs ? 0 : setTimeout(work, ms, ...rest)
  Object.assign(window, { setTimeout: timer })
}

/** Notes when the heading and the data come, at each frame that the browser paints. */
function watchPage(awaited: string) {
  const seen: { heading?: number; data?: number } = {}
  Object.assign(window, { seen })
  const look = () => {
    const now = performance.now()
    const hasHeading = document.querySelector("h1") !== null
    if (hasHeading) seen.heading ??= now
    if (!hasHeading || document.querySelector("#root h1") === null || document.querySelector(awaited)) delete seen.data
    else seen.data ??= now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Opens a page of the dashboard with an empty cache. */
export async function firstView(
  page: Page,
  url: string,
  path: string,
  { slow = false, last }: FirstViewOptions = {},
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
  const scripts: Promise<{ path: string; text: string }>[] = []
  await session.send("Page.enable")
  const watching = `(${watchPage})(${JSON.stringify(stillLoading)})`
  const script = { source: last ? watching : `(${withoutLate})(${longestWaitMs});${watching}` }
  const { identifier } = await session.send("Page.addScriptToEvaluateOnNewDocument", script)
  // What the page before still loads ends here.
  await page.goto("about:blank")
  page.on("response", (answer) => {
    const { pathname } = new URL(answer.url())
    if (answer.request().resourceType() === "script")
      scripts.push(answer.text().then((text) => ({ path: pathname, text })))
  })
  const answer = await page.goto(`${url}/app${path}`, { waitUntil: "commit" })
  await page.waitForFunction(() => (window as unknown as Seen).seen.data !== undefined)
  await page
    .locator(last ?? "h1")
    .first()
    .waitFor({ state: "attached" })
  await page.waitForLoadState("networkidle")
  const { heading, data } = await page.evaluate(() => (window as unknown as Seen).seen)
  const html = (await answer?.text()) ?? ""
  await session.send("Page.removeScriptToEvaluateOnNewDocument", { identifier })
  await session.detach()
  page.removeAllListeners("response")
  const loaded = await Promise.all(scripts)
  return {
    path,
    kilobytes: Math.round(bytes / 1_000),
    headingMs: Math.round(heading ?? Number.NaN),
    dataMs: Math.round(data ?? Number.NaN),
    code: loaded.map(({ text }) => text).join("\n"),
    late: loaded.map((one) => one.path).filter((one) => !html.includes(one)),
  }
}

interface Seen {
  readonly seen: { readonly heading?: number; readonly data?: number }
}
