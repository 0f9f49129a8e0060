import { jsonObject } from "../../src/kernel/api-call.ts"
import type { TransportClock } from "../../src/mail/transport.ts"
import { createAwsClient } from "./client.ts"
import { type Env, readAccess } from "./options.ts"
import { createTopic } from "./topic.ts"

interface SesSetup {
  readonly region: string
  /** The public address of `/webhooks/sns`. */
  readonly topicUrl: string
  /** The name of the configuration set, its event destination and the topic. */
  readonly name: string
}

interface SesSetupTools {
  readonly env: Env
  readonly clock: TransportClock
}

interface SesSetupResult {
  readonly region: string
  readonly configurationSet: string
  readonly topicArn: string
  /** `pending` until the server at the address has confirmed. */
  readonly subscription: "confirmed" | "pending"
  /** The steps that were done, or found to be done, in order. */
  readonly steps: readonly SetupStep[]
}

interface SetupStep {
  readonly what: string
  readonly done: "made" | "changed" | "kept"
}

// Opens and clicks are counted by our own links (contract B9.2.2).
const eventTypes = ["DELIVERY", "BOUNCE", "COMPLAINT"]
const timeoutMs = 15_000

type Json = Readonly<Record<string, unknown>>

/**
 * Sets up the reports of SES to a server: a configuration set whose events go to an SNS topic, to which the server is
 * subscribed. Existing parts are kept, so it may be repeated. Rejects with an Error that says which step failed.
 */
export async function setUpSes(
  { region, topicUrl, name }: SesSetup,
  { env, clock }: SesSetupTools,
): Promise<SesSetupResult> {
  const access = readAccess(region, env)
  const client = createAwsClient(access, clock)
  const steps: SetupStep[] = []
  const note = (done: SetupStep["done"], what: string) => void steps.push({ what, done })

  /** An answer in JSON; undefined for an error of this type. */
  async function ses(what: string, method: "GET" | "POST" | "PUT", path: string, body?: unknown, expected?: string) {
    const abort = new AbortController().signal
    const answer = await client.manage({ method, path, body, abort, timeoutMs })
    if (answer.kind !== "answered") throw new Error(`${what}: SES cannot be reached: ${answer.reason}`)
    const error = client.errorIn(answer)
    if (error === undefined) return jsonObject(answer.text) ?? {}
    if (error.type === expected) return undefined
    throw new Error(`${what}: SES answers ${error.type || error.status}: ${error.message}`)
  }

  const what = `configuration set ${name}`
  const sets = "/v2/email/configuration-sets"
  const made = await ses(what, "POST", sets, { ConfigurationSetName: name }, "AlreadyExistsException")
  note(made ? "made" : "kept", what)

  const topic = createTopic(client)
  const topicArn = await topic.create(name)
  note(topic.isNew ? "made" : "kept", `SNS topic ${topicArn}`)
  note(await topic.allowSes(topicArn, { name, region }), "permission for SES to publish to it")
  note(await topic.signWithSha256(topicArn), "messages of the topic signed with SHA-256")

  const destination = { Enabled: true, MatchingEventTypes: eventTypes, SnsDestination: { TopicArn: topicArn } }
  note(await destine(destination), `event destination ${name}: ${eventTypes.join(", ").toLowerCase()} to the topic`)

  const { done, subscription } = await topic.subscribe(topicArn, topicUrl)
  note(done, `subscription of ${topicUrl}`)
  return { region, configurationSet: name, topicArn, subscription, steps }

  async function destine(wanted: typeof destination): Promise<SetupStep["done"]> {
    const path = `${sets}/${encodeURIComponent(name)}/event-destinations`
    const what = `event destination ${name}`
    const { EventDestinations: all } = (await ses(what, "GET", path)) ?? {}
    const found = (Array.isArray(all) ? (all as Json[]) : []).find((one) => one.Name === name)
    if (found === undefined) {
      await ses(what, "POST", path, { EventDestinationName: name, EventDestination: wanted })
      return "made"
    }
    if (isSame(found, wanted)) return "kept"
    await ses(what, "PUT", `${path}/${encodeURIComponent(name)}`, { EventDestination: wanted })
    return "changed"
  }
}

function isSame(found: Json, wanted: { MatchingEventTypes: readonly string[]; SnsDestination: Json }): boolean {
  const types = Array.isArray(found.MatchingEventTypes) ? found.MatchingEventTypes.map(String) : []
  const { TopicArn } = (found.SnsDestination ?? {}) as Json
  return (
    found.Enabled === true &&
    types.toSorted().join() === [...wanted.MatchingEventTypes].sort().join() &&
    TopicArn === wanted.SnsDestination.TopicArn
  )
}
