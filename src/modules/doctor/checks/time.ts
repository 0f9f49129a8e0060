import type { Clock } from "../../../kernel/clock.ts"
import type { Dns } from "../../../net/dns.ts"
import { clockOffset, type NtpServer } from "../../../net/ntp.ts"
import { type Check, fail, ok, warn } from "../check.ts"

/** Providers refuse requests whose time is off by minutes, and signatures dated in the future are invalid. */
const [noticedMs, harmfulMs] = [2_000, 60_000]
const poolName = "pool.ntp.org"
const ntpPort = 123

interface TimeDeps {
  readonly dns: Pick<Dns, "addresses">
  readonly clock: Clock
  /** Asked instead of the public NTP pool, in tests. */
  readonly ntp?: NtpServer | undefined
}

export const timeCheck = ({ dns, clock, ntp }: TimeDeps): Check => ({
  name: "clock",
  async run(abort) {
    const server = ntp ?? (await pool(dns))
    const offset = server && (await clockOffset(server, clock, abort))
    if (offset === undefined)
      return warn(`No time server could be asked (${poolName}, UDP port 123): see that timedatectl says synchronized.`)
    const off = Math.abs(offset)
    const text = `The clock is ${(off / 1_000).toFixed(1)} seconds ${offset > 0 ? "fast" : "slow"}`
    if (off >= harmfulMs) return fail(`${text}: set it, and let systemd-timesyncd or chrony keep it.`)
    if (off >= noticedMs) return warn(`${text}: let systemd-timesyncd or chrony keep it.`)
    return ok("The clock is right.")
  },
})

async function pool(dns: Pick<Dns, "addresses">): Promise<NtpServer | undefined> {
  const answer = await dns.addresses(poolName)
  const address = answer.kind === "found" ? answer.records[0] : undefined
  return address === undefined ? undefined : { address, port: ntpPort }
}
