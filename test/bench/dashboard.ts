import { createAddress } from "../browser/address.ts"
import { callsTo } from "../browser/calls.ts"
import { closeBrowser } from "../browser/chromium.ts"
import { firstView, pagesOfProject } from "../browser/first-view.ts"
import { furnish } from "../browser/furnish.ts"
import { ownProfile } from "../browser/profile.ts"
import { startSandbox } from "../browser/sandbox-server.ts"
import { below, type Figure } from "./tools/table.ts"

const runs = 3

/** The first view of the pages of a project at 1.6 Mbit/s and a fourth of this processor (the median of some views). */
export async function dashboard(): Promise<Figure[]> {
  const address = createAddress()
  const server = await startSandbox({ projects: 1, address })
  const records = await furnish(server)
  await callsTo(server).addContacts(60)
  const paths = [...pagesOfProject, ...Object.values(records)]
  const nameOf = (path: string) => Object.entries(records).find(([, one]) => one === path)?.[0] ?? path
  const { page, leave } = await ownProfile({})
  // Compresses the scripts, which the server does once.
  for (const path of paths) await firstView(page, server.url, path)
  const figures: Figure[] = []
  for (const path of paths) {
    const views = []
    for (let run = 0; run < runs; run++) views.push(await firstView(page, server.url, path, { slow: true }))
    const [median] = views.sort((one, other) => one.dataMs - other.dataMs).slice(runs >> 1)
    figures.push(
      below(`first view of ${nameOf(path)}: heading`, median?.headingMs ?? Number.NaN, "ms", 1_000, "Chromium"),
    )
    figures.push(below(`  data`, median?.dataMs ?? Number.NaN, "ms", 2_000, "Chromium"))
    figures.push(below(`  transferred`, median?.kilobytes ?? Number.NaN, "KB", 250, "Chromium"))
  }
  await leave()
  await closeBrowser()
  await server.stop()
  await address.close()
  return figures
}
