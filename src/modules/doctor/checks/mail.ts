import type { Config } from "../../../config.ts"
import { reasonOf } from "../../../kernel/log.ts"
import type { TransportMember } from "../../../mail/transports.ts"
import { sendingPauseOf } from "../../../store/sending-pause.ts"
import type { InspectedDomain, Inspection } from "../../domains/index.ts"
import { type Check, clause, type Finding, fail, ok, type Verdict, warn } from "../check.ts"

export type CheckedTransport = Pick<TransportMember, "name" | "verify">

/** Connects to every transport and logs in, without sending. */
export const transportChecks = (transports: readonly CheckedTransport[]): Check[] =>
  transports.map(({ name, verify }) => ({
    name: `transport ${name}`,
    async run(abort) {
      if (name === "capture")
        return warn(
          transports.length > 1
            ? "Mail for which no transport is set is captured and stays on this machine: set mail.url to send it."
            : "Mail is captured and none leaves this machine: set mail.url to send.",
        )
      if (!verify) return ok("It is configured; it cannot be asked without sending.")
      try {
        await verify(abort)
        return ok("It lets us in.")
      } catch (cause) {
        return fail(`It does not work (${clause(reasonOf(cause))}): look at mail.url and at the provider.`)
      }
    },
  }))

/** Reports something only after a restore, and during an update. */
export function pauseChecks({ data }: Pick<Config, "data">): Check[] {
  const pause = sendingPauseOf(data)
  if (pause === undefined) return []
  const sentence =
    pause.takenAt === undefined
      ? "Nothing is sent: complete the update if one was interrupted, or run mailstead resume."
      : "Nothing is sent since this data was restored: run mailstead resume when the old server is off."
  return [{ name: "sending", run: () => warn(sentence) }]
}

/** The most domains that are looked up, and named in the report. */
const mostDomains = 100

export const domainCheck = (inspect: (most: number) => Promise<Inspection>): Check => ({
  name: "domains",
  async run() {
    const { total, domains } = await inspect(mostDomains)
    if (total === 0) return warn("There is no sender domain yet: add one and publish its records.")
    const findings = domains.map((domain): Finding => ({ name: `domain ${domain.domain}`, ...verdictOn(domain) }))
    if (total <= domains.length) return findings
    return [...findings, { name: "domains", ...ok(`${total - domains.length} more domains were not looked at.`) }]
  },
})

const namesOf: Readonly<Record<InspectedDomain["missing"][number], string>> = {
  DKIM: "DKIM",
  SPF: "SPF",
  RETURN_PATH: "return path",
  DMARC: "DMARC",
  INBOUND: "incoming mail",
}

function verdictOn({ verified, missing, lacksRequired, awaitsProvider, isUnanswered }: InspectedDomain): Verdict {
  const names = missing.map((purpose) => namesOf[purpose]).join(", ")
  const advice = "publish the records that its page shows"
  if (lacksRequired) return fail(`Not found in the DNS: ${names}; ${advice}.`)
  if (!verified && awaitsProvider)
    return warn(
      "Nothing is sent from it, because the mail provider has not named its records: the log says why; or vouch for it (mailstead domain add --verified).",
    )
  if (!verified) return warn(`It is not verified, so nothing is sent from it: ${advice}.`)
  if (names !== "") return warn(`Not found in the DNS: ${names}; ${advice}.`)
  if (isUnanswered) return warn("The DNS did not answer for all of its records: run this again.")
  return ok("Its records are published.")
}
