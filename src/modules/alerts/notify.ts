import { type Static, Type as t } from "@sinclair/typebox"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles, retry, snooze } from "../../jobs/define.ts"
import { callApi } from "../../kernel/api-call.ts"
import { iso, minute, second } from "../../kernel/clock.ts"
import type { TransportMember } from "../../mail/transports.ts"
import type { Unit } from "../../store/writer.ts"
import type { Accounts } from "../accounts/index.ts"
import type { Emails } from "../emails/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Alert } from "./table.ts"

type AlertChange = "began" | "ended"

export interface NotifyDeps {
  readonly accounts: Pick<Accounts, "instanceOwner">
  readonly projects: Pick<Projects, "ensureSystem">
  readonly emails: Pick<Emails, "acceptSystem">
  readonly transports: readonly Pick<TransportMember, "name" | "lanes">[]
  readonly baseUrl: () => string
}

/** Retried until it is accepted: the problem of the server may affect its network too. */
const callWebhook = defineJob(
  "alert.notify",
  t.Object({ key: t.String(), state: t.String(), sentence: t.String(), since: t.Integer(), at: t.Integer() }),
  { attempts: Number.MAX_SAFE_INTEGER },
)

type Change = Static<typeof callWebhook.payload>

/** Whether one change of an alert precedes another of the same alert. */
const isBefore = (one: Change, other: Change): boolean =>
  one.key === other.key &&
  (one.since < other.since || (one.since === other.since && one.state === "began" && other.state === "ended"))

/** Texts are passed as variables, because they may come from other servers. */
const subjects = { began: "Alert: {{sentence}}", ended: "Over: {{sentence}}" }
const body = "<p>{{introduction}}</p><p>{{sentence}}</p><p>{{address}}</p>"
const introductions = {
  began: "Your mail server has a problem. You will be told once more, when it is over.",
  ended: "This problem of your mail server is over:",
}
const longestSubject = 200

/** Tells the owner of the instance by mail and by a webhook, as far as they are configured, and the log in any case. */
export function createNotifier(
  { config, jobs, log }: Pick<Engine, "config" | "jobs" | "log">,
  { accounts, projects, emails, transports, baseUrl }: NotifyDeps,
) {
  const { from } = config.systemMail
  const { webhook } = config.alerts
  const address = () => `${baseUrl()}/app/instance/health`

  /** Whether mail about a transport leaves by another one: that of bulk mail, if it is another. */
  function avoids({ key }: Pick<Alert, "key">): boolean {
    const failing = transports.find(({ name }) => key === `transport ${name}`)
    const other = transports.some(({ lanes }) => lanes.includes("bulk") && !lanes.includes("transactional"))
    return other && (failing?.lanes.includes("transactional") ?? key.startsWith("queue "))
  }

  async function mail(unit: Unit, state: AlertChange, alert: Alert): Promise<void> {
    const owner = await accounts.instanceOwner(unit)
    if (from === null || owner === undefined) return
    await projects.ensureSystem(unit)
    const sentence = alert.sentence.slice(0, longestSubject).toWellFormed()
    await emails.acceptSystem(unit, {
      from,
      to: owner.email,
      language: owner.language,
      subject: subjects[state],
      body,
      variables: { sentence, introduction: introductions[state], address: address() },
      viaBulk: avoids(alert),
    })
  }

  /** Called in the unit in which the alert begins or ends, so that it is sent exactly once. */
  async function tell(unit: Unit, state: AlertChange, alert: Alert): Promise<void> {
    const { key, sentence, since } = alert
    await mail(unit, state, alert)
    if (webhook !== null) await jobs.enqueue(unit, callWebhook, { key, state, sentence, since, at: unit.now })
    unit.afterCommit(() =>
      state === "began" ? log.error("Alert", { key, sentence }) : log.info("An alert is over", { key, sentence }),
    )
  }

  const handler = handles(callWebhook, async (change, abort) => {
    if (webhook === null) return done
    // Keeps the order, so that the last notice of an alert that has ended is not that it began.
    if ((await jobs.waiting(callWebhook)).some((other) => isBefore(other, change))) return snooze(minute)
    const { key, state, sentence, since, at } = change
    const text = `${state === "began" ? "Alert" : "Over"}: ${sentence} ${address()}`
    const answer = await callApi(
      {
        method: "POST",
        url: webhook,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text, key, state, sentence, since: iso(since), at: iso(at) }),
      },
      { timeoutMs: 10 * second, abort },
    )
    if (answer.kind === "answered" && answer.status < 300) return done
    return retry(answer.kind === "answered" ? `The webhook answered ${answer.status}.` : answer.reason)
  })

  return { tell, handlers: [handler] }
}
