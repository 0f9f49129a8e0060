import type { BrowserContext, BrowserContextOptions } from "playwright-core"
import { type Address, createAddress } from "./address.ts"
import { browser } from "./chromium.ts"

const usual: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  reducedMotion: "reduce",
  locale: "en-GB",
}

let address: Address | undefined
let shared: BrowserContext | undefined

/** The address that the tests of this process visit, one after the other. */
export function addressOfTests(): Address {
  address ??= createAddress()
  return address
}

export interface Profile {
  readonly context: BrowserContext
  /** Leaves nothing that the next test could find. */
  leave(): Promise<void>
}

/** A browser profile of its own, as these options want it. */
export async function ownProfile(options: BrowserContextOptions): Promise<Profile> {
  const context = await (await browser()).newContext({ ...usual, ...options })
  return { context, leave: () => context.close() }
}

/**
 * The profile that tests without special wishes take in turns: empty but for its cache, in which the dashboard's scripts
 * lie compiled.
 */
export async function sharedProfile(origin: string): Promise<Profile> {
  const now = await browser()
  if (shared?.browser() !== now) shared = await now.newContext(usual)
  const context = shared
  // A test that ran out of time has left its pages open.
  await closePages(context)
  await clear(context, origin)
  return { context, leave: () => closePages(context) }
}

const closePages = async (context: BrowserContext): Promise<void> =>
  void (await Promise.all(context.pages().map((page) => page.close())))

async function clear(context: BrowserContext, origin: string): Promise<void> {
  await context.clearCookies()
  await context.clearPermissions()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const storageTypes = "local_storage,indexeddb,cache_storage,service_workers"
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes })
  await page.close()
}
