import { afterAll, beforeAll } from "bun:test"
import { type Browser, chromium } from "playwright-core"

/** The timeout of a single step on a page, long enough that only a step that never happens exceeds it. */
export const stepTimeoutMs = 100_000

/** The headless shell first: without the browser around its pages it does the same work in half the processor time. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Pages of one profile take turns in one process, which costs a fourth of a page load less than one for each.
  "--renderer-process-limit=1",
  // A page that leads to another of its origin keeps its frame, instead of building one anew. This replaces the list of
  // Playwright, whose first entry is for screenshots.
  "--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame",
  // No page lives for so long that optimized code would be worth its compilation.
  "--js-flags=--no-maglev,--no-opt",
]

let launched: Promise<Browser> | undefined

/** The browser of this process, started again if needed, because a test that times out kills all child processes. */
export async function browser(): Promise<Browser> {
  const found = await launched
  if (found?.isConnected()) return found
  launched = launch()
  return launched
}

async function launch(): Promise<Browser> {
  const executablePath = names.map((name) => Bun.which(name)).find((path) => path)
  if (!executablePath) throw new Error("The browser tests need Chromium: none of the usual names is in the PATH.")
  return chromium.launch({ executablePath, args, timeout: stepTimeoutMs })
}

/**
 * Provides a browser for the tests of the calling file. A worker of `bun test --parallel` keeps it for all of its
 * files, because it does not know which is the last; the browser ends with the worker.
 */
export function withBrowser(): void {
  beforeAll(async () => void (await browser()))
  if (process.env.BUN_TEST_WORKER_ID === undefined) afterAll(closeBrowser)
}

export async function closeBrowser(): Promise<void> {
  const closing = launched
  launched = undefined
  await (await closing)?.close()
}
