import { isWalked, seedReaders, startCampaign } from "./tools/campaign.ts"
import { type Instance, startInstance } from "./tools/instance.ts"
import { below, type Figure } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const sizes = [10_000, 100_000, 1_000_000]
const by = "one campaign"

/** Campaigns to audiences of growing size, each contact with ten custom fields, until all mails are in the ledger. */
export async function campaigns(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of sizes) figures.push(...(await enqueuing(size)))
  return figures
}

/** Measures the time until all mails are in the ledger; almost none is sent meanwhile. */
async function enqueuing(size: number): Promise<Figure[]> {
  const instance = await startInstance({ MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "1" }, (folder, projectId) =>
    seedReaders(folder, projectId, size),
  )
  const name = (what: string) => `${what}, ${size.toLocaleString("en")} recipients`
  try {
    const started = performance.now()
    await startCampaign(instance)
    let memory = 0
    while (!isWalked(instance)) {
      memory = Math.max(memory, instance.memory())
      await Bun.sleep(50)
    }
    const ms = performance.now() - started
    const figures = [
      below(name("enqueuing a campaign"), ms, "ms", 60_000, by),
      below(name("resident memory meanwhile"), memory, "MB", 350, by),
    ]
    return size < 1_000_000 ? figures : [...figures, await trackMeanwhile(instance)]
  } finally {
    await instance.end()
  }
}

/** The latency of `/v1/track` while the mails of another campaign are made. */
async function trackMeanwhile(instance: Instance): Promise<Figure> {
  await startCampaign(instance)
  const { p99Ms } = await wrk({
    url: instance.url,
    path: "/v1/track",
    key: instance.project.publicKey,
    body: `'{"email":"during' .. n .. '@example.org","event":"signed_in","data":{"plan":"free"}}'`,
    connections: 8,
    seconds: 4,
  })
  return below(`track p99 meanwhile${isWalked(instance) ? " (ended early)" : ""}`, p99Ms, "ms", 50, "wrk")
}
