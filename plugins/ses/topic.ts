import { jsonObject } from "../../src/kernel/api-call.ts"
import type { AwsClient } from "./client.ts"

type Done = "made" | "changed" | "kept"

const timeoutMs = 15_000
const statementId = "mailstead-ses"

/**
 * An SNS topic, by the query API of SNS. Every method keeps existing parts, and rejects with an Error that names it.
 */
export function createTopic(client: AwsClient) {
  let isNew = false

  async function ask(parameters: Readonly<Record<string, string>>): Promise<string> {
    const abort = new AbortController().signal
    const answer = await client.sns(parameters, { abort, timeoutMs })
    if (answer.kind !== "answered") throw new Error(`${parameters.Action}: SNS cannot be reached: ${answer.reason}`)
    const error = client.errorIn(answer)
    if (error) throw new Error(`${parameters.Action}: SNS answers ${error.type || error.status}: ${error.message}`)
    return answer.text
  }

  async function attributes(arn: string): Promise<ReadonlyMap<string, string>> {
    const xml = await ask({ Action: "GetTopicAttributes", TopicArn: arn })
    const entries = xml.matchAll(/<entry>\s*<key>([^<]*)<\/key>\s*<value>([^<]*)<\/value>\s*<\/entry>/g)
    return new Map(Array.from(entries, ([, key = "", value = ""]) => [key, unescaped(value)]))
  }

  const set = (arn: string, name: string, value: string) =>
    ask({ Action: "SetTopicAttributes", TopicArn: arn, AttributeName: name, AttributeValue: value })

  async function subscriptions(arn: string): Promise<{ endpoint: string; arn: string }[]> {
    const found: { endpoint: string; arn: string }[] = []
    for (let next = ""; ; ) {
      const page: Record<string, string> = next === "" ? {} : { NextToken: next }
      const xml = await ask({ Action: "ListSubscriptionsByTopic", TopicArn: arn, ...page })
      for (const [, member = ""] of xml.matchAll(/<member>(.*?)<\/member>/gs))
        found.push({ endpoint: textIn(member, "Endpoint"), arn: textIn(member, "SubscriptionArn") })
      next = textIn(xml, "NextToken")
      if (next === "") return found
    }
  }

  return {
    get isNew() {
      return isNew
    },

    /** The topic of this name, created if necessary: SNS answers in the same way for an existing one. */
    async create(name: string): Promise<string> {
      const arn = textIn(await ask({ Action: "CreateTopic", Name: name }), "TopicArn")
      if (!/^arn:[\w-]+:sns:[\w-]+:\d+:[\w-]+$/.test(arn)) throw new Error("CreateTopic: SNS names no topic.")
      // Our statement is missing only from a topic that was not set up yet.
      isNew = !policyIn((await attributes(arn)).get("Policy")).has(statementId)
      return arn
    },

    /** Adds our statement to the policy of the topic, and leaves those of others. */
    async allowSes(arn: string, { name, region }: { name: string; region: string }): Promise<Done> {
      const [, partition = "aws", , , account = ""] = arn.split(":")
      const source = `arn:${partition}:ses:${region}:${account}:configuration-set/${name}`
      const statement = {
        Sid: statementId,
        Effect: "Allow",
        Principal: { Service: "ses.amazonaws.com" },
        Action: "SNS:Publish",
        Resource: arn,
        Condition: { StringEquals: { "AWS:SourceAccount": account, "AWS:SourceArn": source } },
      }
      const statements = policyIn((await attributes(arn)).get("Policy"))
      const known = statements.get(statementId)
      if (JSON.stringify(known) === JSON.stringify(statement)) return "kept"
      statements.set(statementId, statement)
      await set(arn, "Policy", JSON.stringify({ Version: "2012-10-17", Statement: [...statements.values()] }))
      return known ? "changed" : "made"
    },

    /** Version 1 of the signatures is made with SHA-1. */
    async signWithSha256(arn: string): Promise<Done> {
      if ((await attributes(arn)).get("SignatureVersion") === "2") return "kept"
      await set(arn, "SignatureVersion", "2")
      return "made"
    },

    /** A pending subscription is requested again, which sends the request for confirmation again. */
    async subscribe(arn: string, url: string): Promise<{ done: Done; subscription: "confirmed" | "pending" }> {
      const known = (await subscriptions(arn)).find(({ endpoint }) => endpoint === url)
      if (known?.arn.startsWith("arn:")) return { done: "kept", subscription: "confirmed" }
      const Protocol = new URL(url).protocol.slice(0, -1)
      await ask({ Action: "Subscribe", TopicArn: arn, Protocol, Endpoint: url })
      return { done: known ? "kept" : "made", subscription: "pending" }
    },
  }
}

const textIn = (xml: string, tag: string): string =>
  unescaped(new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? "")

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" }

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|quot|apos|amp));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? all
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })

/** The statements of a policy by their ids; those without one keep their place under a number. */
function policyIn(text: string | undefined): Map<string, unknown> {
  const { Statement } = jsonObject(text ?? "") ?? {}
  const all = Array.isArray(Statement) ? Statement : Statement ? [Statement] : []
  return new Map(all.map((one: { Sid?: unknown }, at) => [typeof one.Sid === "string" ? one.Sid : `#${at}`, one]))
}
