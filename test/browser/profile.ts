import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { type Address, createAddress } from "./address.ts"
import { browser } from "./chromium.ts"

const viewport = { width: 1280, height: 800 }
const media = { colorScheme: "light", reducedMotion: "reduce" } as const
const usual: BrowserContextOptions = { viewport, ...media, locale: "en-GB" }

let address: Address | undefined

/** The address that the tests of this process visit, one after the other. */
export function addressOfTests(): Address {
  address ??= createAddress()
  return address
}

export interface Profile {
  /** An empty page. */
  readonly page: Page
  /** Removes everything that could affect the next test. */
  leave(): Promise<void>
}

/** A separate browser profile with these options. */
export async function ownProfile(options: BrowserContextOptions): Promise<Profile> {
  const context = await (await browser()).newContext({ ...usual, ...options })
  return { page: await context.newPage(), leave: () => context.close() }
}

interface SharedProfile extends Profile {
  readonly context: BrowserContext
  /** Empties the profile, but for its cache. */
  clear(origin: string): Promise<void>
}

let shared: SharedProfile | undefined

/**
 * The profile that tests without special wishes take in turns: empty but for its cache, in which the dashboard's scripts
 * are kept.
 */
export async function sharedProfile(origin: string): Promise<Profile> {
  const now = await browser()
  if (shared?.context.browser() !== now || shared.page.isClosed()) shared = await createSharedProfile(now)
  // A test that ran out of time has left its pages open.
  else await shared.leave()
  await shared.clear(origin)
  return shared
}

/** Its tests take turns in one page too: the process of the pages lives as long as one of them, and a new one costs time. */
async function createSharedProfile(on: Browser): Promise<SharedProfile> {
  const context = await on.newContext(usual)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const { emptyPage } = addressOfTests()
  const storageTypes = "local_storage,indexeddb,cache_storage,service_workers"
  return {
    context,
    page,
    async leave() {
      await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())))
      page.removeAllListeners()
      await page.unrouteAll({ behavior: "ignoreErrors" })
      if (page.url() !== emptyPage) {
        await page.evaluate(forgetOnLeaving).catch(() => {})
        await page.goto(emptyPage)
      }
      await page.mouse.move(-1, -1)
      await page.setViewportSize(viewport)
      await page.emulateMedia(media)
    },
    async clear(origin) {
      await context.clearCookies()
      await context.clearPermissions()
      await session.send("Storage.clearDataForOrigin", { origin, storageTypes })
    },
  }
}

/** The storage of a page's session belongs to the page, and can be emptied only from within. */
const forgetOnLeaving = () => addEventListener("pagehide", () => sessionStorage.clear())
