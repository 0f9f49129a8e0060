import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core"
import { type Address, createAddress } from "./address.ts"
import { browser } from "./chromium.ts"

const usual: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  reducedMotion: "reduce",
  locale: "en-GB",
}

let address: Address | undefined

/** The address that the tests of this process visit, one after the other. */
export function addressOfTests(): Address {
  address ??= createAddress()
  return address
}

export interface Profile {
  readonly context: BrowserContext
  /** Removes everything that could affect the next test. */
  leave(): Promise<void>
}

/** A separate browser profile with these options. */
export async function ownProfile(options: BrowserContextOptions): Promise<Profile> {
  const context = await (await browser()).newContext({ ...usual, ...options })
  return { context, leave: () => context.close() }
}

interface SharedProfile extends Profile {
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
  if (shared?.context.browser() !== now) shared = await createSharedProfile(now)
  // A test that ran out of time has left its pages open.
  await shared.leave()
  await shared.clear(origin)
  return shared
}

/** Keeps one empty page open: the process of the pages lives as long as one of them. */
async function createSharedProfile(on: Browser): Promise<SharedProfile> {
  const context = await on.newContext(usual)
  const kept = await context.newPage()
  const session = await context.newCDPSession(kept)
  const storageTypes = "local_storage,indexeddb,cache_storage,service_workers"
  return {
    context,
    async leave() {
      await Promise.all(context.pages().map((page) => (page === kept ? undefined : page.close())))
    },
    async clear(origin) {
      await context.clearCookies()
      await context.clearPermissions()
      await session.send("Storage.clearDataForOrigin", { origin, storageTypes })
    },
  }
}
