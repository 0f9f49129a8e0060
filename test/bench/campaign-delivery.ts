import { connections, delivered, startSink } from "./delivery.ts"
import { readyMail } from "./smtp-client.ts"
import { isWalked, seedReaders, startCampaign, stopTracking } from "./tools/campaign.ts"
import { startInstance } from "./tools/instance.ts"
import { listmonkCampaign, listmonkOf } from "./tools/listmonk.ts"
import { compared, inTurns, measured, type Result, type Round } from "./tools/rounds.ts"
import type { Figure } from "./tools/table.ts"

const count = 20_000
const by = "smtp-sink"

/**
 * A campaign from the request to send to the last hand-over, with and without DKIM, against messages whose bytes are ready
 * on raw sockets: the first one after the start, while the code is compiled, and one that follows another. Its 88 links lead
 * through the server, but for where nothing is tracked. And against listmonk, which tracks no links unless they are marked, if
 * `BENCH_LISTMONK` names its program and `BENCH_LISTMONK_DATABASE` the address of a database for it.
 */
export async function campaignDelivery(): Promise<Figure[]> {
  const sink = await startSink()
  const listmonk = listmonkOf(process.env)
  const found = await inTurns({
    raw: () => readyMail("raw", sink.port, count),
    unsigned: () => campaign(sink.port),
    next: () => campaign(sink.port, { sent: 1 }),
    untracked: () => campaign(sink.port, { sent: 1, untracked: true }),
    signed: () => campaign(sink.port, { signed: true }),
  })
  const rivals =
    listmonk &&
    (await inTurns({
      listmonk: () => listmonkCampaign(listmonk, count),
      ours: () => campaign(sink.port, { sent: 1, untracked: true }),
    }))
  await sink.stop()
  const what = `a campaign of ${count.toLocaleString("en")} x 10 KB, ${connections} connections`
  const cost = (which: string, { cpuMs }: Result): Figure => ({
    what: `processor time of a mail of ${which}`,
    value: `${cpuMs.median.toFixed(2)} ms`,
    target: "<= 0.6 ms",
    met: cpuMs.median <= 0.6,
    by,
  })
  return [
    compared(`${what}, unsigned`, { ours: found.unsigned, against: found.raw, atLeast: 0.15, by }),
    compared(`${what}, unsigned, after another one`, { ours: found.next, against: found.raw, atLeast: 0.15, by }),
    compared(`${what}, unsigned, untracked, after another one`, {
      ours: found.untracked,
      against: found.raw,
      atLeast: 0.15,
      by,
    }),
    compared(`${what}, RSA and Ed25519`, { ours: found.signed, against: found.raw, atLeast: 0.1, by }),
    cost("the first campaign after the start", found.unsigned),
    cost("the next one", found.next),
    rivals
      ? compared(`${what}, unsigned, untracked, after another one, against listmonk`, {
          ours: rivals.ours,
          against: rivals.listmonk,
          atLeast: 1.5,
          by,
        })
      : {
          what: "a campaign against listmonk",
          value: "not measured: BENCH_LISTMONK and BENCH_LISTMONK_DATABASE name no program and no database",
          target: ">= 1.5",
          met: false,
          by,
        },
  ]
}

interface Kind {
  readonly signed?: boolean
  readonly untracked?: boolean
  /** How many campaigns the server has sent before, so that its code is compiled. */
  readonly sent?: number
}

async function campaign(port: number, { signed = false, untracked = false, sent = 0 }: Kind = {}): Promise<Round> {
  const url = `smtp://127.0.0.1:${port}?tls=off&pool=${connections}`
  const fill = (folder: string, projectId: string) => {
    seedReaders(folder, projectId, count)
    if (untracked) stopTracking(folder)
  }
  const instance = await startInstance({ MAILSTEAD_MAIL_URL: url }, fill, { signed })
  const run = async () => {
    const started = performance.now()
    await startCampaign(instance)
    while (!isWalked(instance)) await Bun.sleep(20)
    await delivered(instance)
    return { perSecond: count / ((performance.now() - started) / 1_000), count }
  }
  try {
    for (let n = 0; n < sent; n++) await run()
    return await measured(instance, run)
  } finally {
    await instance.end()
  }
}
