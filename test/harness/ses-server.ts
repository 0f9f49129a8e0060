import { createHash, createHmac } from "node:crypto"
import { type ApiCall, type ApiReply, type ApiServer, startApiServer } from "./api-server.ts"

/** The example credentials of AWS's own documentation. */
export const awsKeys = {
  AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
  AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
}

interface SesMessage {
  readonly to: string
  readonly bouncesTo: string
  readonly raw: Buffer
  readonly tags: Readonly<Record<string, string>>
  readonly configurationSet: string | undefined
}

/**
 * Amazon SES of one region as its API reference (version 2, 2019-09-27) and that of SNS (2010-03-31) describe them, as far
 * as the program asks for it: signatures are checked (Signature Version 4), sender domains are not. The local part of a
 * recipient says what becomes of the mail.
 */
export interface SesServer extends ApiServer {
  readonly messages: SesMessage[]
  /** When set, one request a second of this clock is answered, beside those that send, as AWS limits them. */
  rateClock: (() => number) | undefined
  /** How many were refused for that. */
  tooMany: number
  /** What GetAccount answers, to be changed. */
  account: Record<string, unknown>
  readonly identities: Map<string, Record<string, unknown>>
  readonly configurationSets: Map<string, Record<string, unknown>[]>
  readonly topics: Map<string, Record<string, string>>
  readonly subscriptions: { endpoint: string; arn: string; topic: string; protocol: string }[]
  /** For a transport or a command: credentials, and this server in the place of the region's. */
  readonly env: Readonly<Record<string, string>>
}

type Json = Record<string, unknown>

export const sesError = (status: number, type: string, message: string): ApiReply => ({
  status,
  headers: { "x-amzn-ErrorType": type },
  body: { message },
})

export async function startSes(): Promise<SesServer> {
  let answeredAt = Number.NEGATIVE_INFINITY
  const server = await startApiServer((call) => {
    if (!isSigned(call)) return sesError(403, "SignatureDoesNotMatch", "The request signature does not match.")
    return call.path === "/" ? sns(call) : route(call)
  })
  const ses: SesServer = {
    ...server,
    messages: [],
    rateClock: undefined,
    tooMany: 0,
    account: {
      ProductionAccessEnabled: true,
      SendingEnabled: true,
      EnforcementStatus: "HEALTHY",
      SendQuota: { Max24HourSend: 50_000, MaxSendRate: 1_000, SentLast24Hours: 0 },
    },
    identities: new Map(),
    configurationSets: new Map(),
    topics: new Map(),
    subscriptions: [],
    env: { ...awsKeys, AWS_ENDPOINT_URL: server.url },
  }

  function route({ method, path, body }: ApiCall): ApiReply {
    const given = body === "" ? {} : (JSON.parse(body) as Json)
    const parts = path.split("/").map(decodeURIComponent)
    if (`${method} ${path}` === "POST /v2/email/outbound-emails") return send(given)
    if (isTooMany()) return sesError(429, "TooManyRequestsException", "Rate exceeded")
    if (`${method} ${path}` === "GET /v2/email/account") return { status: 200, body: ses.account }
    // As all clients of AWS have it, the path that sets DKIM up alone is of another version than the others.
    const version = parts[5] === "dkim" ? "v1" : "v2"
    if (parts[1] !== version) return sesError(404, "UnknownOperationException", "")
    if (parts[3] === "identities") return identity(method, parts.slice(4), given)
    if (parts[3] === "configuration-sets") return configurationSet(method, parts.slice(4), given)
    return sesError(404, "UnknownOperationException", "")
  }

  function isTooMany(): boolean {
    const now = ses.rateClock?.()
    if (now === undefined) return false
    const isSoon = now - answeredAt < 1_000
    if (isSoon) ses.tooMany++
    else answeredAt = now
    return isSoon
  }

  function send(given: Json): ApiReply {
    const { Destination, Content, FeedbackForwardingEmailAddress, EmailTags, ConfigurationSetName } = given as {
      Destination: { ToAddresses: string[] }
      Content: { Raw: { Data: string } }
      FeedbackForwardingEmailAddress: string
      EmailTags: { Name: string; Value: string }[]
      ConfigurationSetName?: string
    }
    const [to = ""] = Destination.ToAddresses
    if (ConfigurationSetName !== undefined && !ses.configurationSets.has(ConfigurationSetName))
      return sesError(404, "NotFoundException", `Configuration set <${ConfigurationSetName}> does not exist.`)
    const [handling] = to.split(/[@+]/)
    if (handling === "defer") return sesError(429, "TooManyRequestsException", "Maximum sending rate exceeded.")
    if (handling === "reject") return sesError(400, "MessageRejected", "Illegal content")
    if (handling === "ignore") return "hang"
    const raw = Buffer.from(Content.Raw.Data, "base64")
    const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value]))
    const bouncesTo = FeedbackForwardingEmailAddress
    ses.messages.push({ to, bouncesTo, raw, tags, configurationSet: ConfigurationSetName })
    if (handling === "lose") return "close"
    return { status: 200, body: { MessageId: `010201-${ses.messages.length}-000000` } }
  }

  function identity(method: string, [name = "", part]: string[], given: Json): ApiReply {
    const domain = name === "" ? String(given.EmailIdentity) : name
    const found = ses.identities.get(domain)
    if (method === "POST") {
      if (found) return sesError(400, "AlreadyExistsException", `Email identity ${domain} already exist.`)
      const Tokens = ["a", "b", "c"].map(
        (letter) => letter + createHash("md5").update(domain).digest("hex").slice(0, 31),
      )
      const made = {
        IdentityType: "DOMAIN",
        VerifiedForSendingStatus: false,
        DkimAttributes: { SigningEnabled: true, Status: "PENDING", Tokens, SigningAttributesOrigin: "AWS_SES" },
        Tags: given.Tags ?? [],
      }
      ses.identities.set(domain, made)
      return { status: 200, body: made }
    }
    if (!found) return sesError(404, "NotFoundException", `Email identity ${domain} does not exist.`)
    if (method === "DELETE") ses.identities.delete(domain)
    if (part === "mail-from") found.MailFromAttributes = { ...given, MailFromDomainStatus: "PENDING" }
    if (part === "dkim") Object.assign(found.DkimAttributes as Json, given, { Status: "PENDING" })
    return { status: 200, body: method === "GET" ? found : {} }
  }

  function configurationSet(method: string, [name = "", , destination]: string[], given: Json): ApiReply {
    if (name === "") {
      const made = String(given.ConfigurationSetName)
      if (ses.configurationSets.has(made)) return sesError(400, "AlreadyExistsException", `${made} exists.`)
      ses.configurationSets.set(made, [])
      return { status: 200, body: {} }
    }
    const all = ses.configurationSets.get(name)
    if (!all) return sesError(404, "NotFoundException", `${name} does not exist.`)
    if (method === "GET") return { status: 200, body: { EventDestinations: all } }
    const Name = destination ?? given.EventDestinationName
    const others = all.filter((one) => one.Name !== Name)
    if (method === "POST" && others.length < all.length) return sesError(400, "AlreadyExistsException", "It exists.")
    ses.configurationSets.set(name, [...others, { Name, ...(given.EventDestination as Json) }])
    return { status: 200, body: {} }
  }

  function sns({ body }: ApiCall): ApiReply {
    const given = Object.fromEntries(new URLSearchParams(body))
    const answer = (content: string): ApiReply => ({
      status: 200,
      body: `<${given.Action}Response><${given.Action}Result>${content}</${given.Action}Result></${given.Action}Response>`,
    })
    const arn = given.TopicArn ?? `arn:aws:sns:eu-west-1:123456789012:${given.Name}`
    const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
    switch (given.Action) {
      case "CreateTopic":
        if (!ses.topics.has(arn))
          ses.topics.set(arn, { Policy: JSON.stringify({ Version: "2008-10-17", Statement: [] }) })
        return answer(`<TopicArn>${arn}</TopicArn>`)
      case "GetTopicAttributes": {
        const entries = Object.entries(ses.topics.get(arn) ?? {})
        return answer(
          `<Attributes>${entries.map(([key, value]) => `<entry><key>${key}</key><value>${escaped(value)}</value></entry>`).join("")}</Attributes>`,
        )
      }
      case "SetTopicAttributes":
        ses.topics.set(arn, { ...ses.topics.get(arn), [given.AttributeName ?? ""]: given.AttributeValue ?? "" })
        return answer("")
      case "ListSubscriptionsByTopic":
        return answer(
          `<Subscriptions>${ses.subscriptions
            .filter(({ topic }) => topic === arn)
            .map(
              (one) =>
                `<member><Endpoint>${escaped(one.endpoint)}</Endpoint><SubscriptionArn>${one.arn}</SubscriptionArn></member>`,
            )
            .join("")}</Subscriptions>`,
        )
      case "Subscribe": {
        const endpoint = given.Endpoint ?? ""
        if (!ses.subscriptions.some((one) => one.endpoint === endpoint && one.topic === arn))
          ses.subscriptions.push({ endpoint, arn: "PendingConfirmation", topic: arn, protocol: given.Protocol ?? "" })
        return answer("<SubscriptionArn>pending confirmation</SubscriptionArn>")
      }
    }
    return { status: 400, body: "<ErrorResponse><Error><Code>InvalidAction</Code></Error></ErrorResponse>" }
  }

  return ses
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Whether a request has the signature that the secret key gives (AWS Signature Version 4). */
function isSigned({ method, path, headers, body }: ApiCall): boolean {
  const { authorization = "" } = headers
  const parts =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
      authorization,
    )
  if (parts === null) return false
  const [, id, day = "", region = "", service = "", names = "", signature] = parts
  const canonical = [
    method,
    // Every octet of the path is encoded once more, but for the slashes.
    path.split("/").map(encodeURIComponent).join("/"),
    "",
    ...names.split(";").map((name) => `${name}:${headers[name] ?? ""}`),
    "",
    names,
    sha256(body),
  ].join("\n")
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = `AWS4-HMAC-SHA256\n${headers["x-amz-date"]}\n${scope}\n${sha256(canonical)}`
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(
    (derived, part) => hmac(derived, part),
    `AWS4${awsKeys.AWS_SECRET_ACCESS_KEY}`,
  )
  return id === awsKeys.AWS_ACCESS_KEY_ID && hmac(key, toSign).toString("hex") === signature
}
