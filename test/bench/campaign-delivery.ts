import { connections, delivered, startSink } from "./delivery.ts"
import { readyMail } from "./smtp-client.ts"
import { isWalked, seedReaders, startCampaign } from "./tools/campaign.ts"
import { startInstance } from "./tools/instance.ts"
import { compared, inTurns, measured, type Round } from "./tools/rounds.ts"
import type { Figure } from "./tools/table.ts"

const count = 20_000
const by = "smtp-sink"

/**
 * A campaign from the request to send to the last hand-over, with and without DKIM, against messages whose bytes are ready
 * on raw sockets.
 */
export async function campaignDelivery(): Promise<Figure[]> {
  const sink = await startSink()
  const found = await inTurns({
    raw: () => readyMail("raw", sink.port, count),
    unsigned: () => campaign(sink.port, false),
    signed: () => campaign(sink.port, true),
  })
  await sink.stop()
  const what = `a campaign of ${count.toLocaleString("en")} x 10 KB, ${connections} connections`
  const cpuMs = found.unsigned.cpuMs.median
  return [
    compared(`${what}, unsigned`, { ours: found.unsigned, against: found.raw, atLeast: 0.15, by }),
    compared(`${what}, RSA and Ed25519`, { ours: found.signed, against: found.raw, atLeast: 0.1, by }),
    {
      what: "processor time of one of its mails",
      value: `${cpuMs.toFixed(2)} ms`,
      target: "<= 0.6 ms",
      met: cpuMs <= 0.6,
      by,
    },
  ]
}

async function campaign(port: number, signed: boolean): Promise<Round> {
  const url = `smtp://127.0.0.1:${port}?tls=off&pool=${connections}`
  const fill = (folder: string, projectId: string) => seedReaders(folder, projectId, count)
  const instance = await startInstance({ MAILSTEAD_MAIL_URL: url }, fill, { signed })
  try {
    return await measured(instance, async () => {
      const started = performance.now()
      await startCampaign(instance)
      while (!isWalked(instance)) await Bun.sleep(20)
      await delivered(instance)
      return { perSecond: count / ((performance.now() - started) / 1_000), count }
    })
  } finally {
    await instance.end()
  }
}
