import { jsonObject } from "../../src/kernel/api-call.ts"
import { reasonOf } from "../../src/kernel/log.ts"
import type {
  DomainIdentity,
  IdentityRecord,
  IdentityStatus,
  TransportIdentity,
  TransportTools,
} from "../../src/mail/transport.ts"
import type { AwsCall, AwsClient, AwsError } from "./client.ts"
import type { SesOptions } from "./options.ts"

/** The tag with the mark of an identity that was created here: only those are deleted here. */
const ownTag = "mailstead"
const timeoutMs = 15_000
/** Of keys that SES makes, without the region that some copy them from. */
const easyDkim = "AWS_SES"

type Json = Readonly<Record<string, unknown>>

/** Domain identities with Easy DKIM and a MAIL FROM domain of their own (contract B6.1: three CNAMEs, one per token). */
export function createIdentity(
  client: AwsClient,
  { region }: Pick<SesOptions, "region">,
  { log }: Pick<TransportTools, "log">,
): TransportIdentity {
  async function call(request: Omit<AwsCall, "timeoutMs">): Promise<Json | AwsError> {
    const answer = await client.manage({ ...request, timeoutMs })
    if (answer.kind !== "answered") throw new Error(`SES cannot be reached: ${answer.reason}`)
    return client.errorIn(answer) ?? jsonObject(answer.text) ?? {}
  }

  /** As `call`; an error of one of these types is undefined, any other is thrown. */
  async function ask(request: Omit<AwsCall, "timeoutMs">, ...expected: string[]): Promise<Json | undefined> {
    const answer = await call(request)
    if (!isError(answer)) return answer
    if (expected.includes(answer.type)) return undefined
    throw new Error(`SES refuses: ${answer.type} ${answer.message}`.trim())
  }

  const find = (domain: string, abort: AbortSignal) =>
    ask({ method: "GET", path: pathOf(domain), abort }, "NotFoundException")

  /** What SES says of the domain counts all the same. */
  const notAgain = (domain: string, cause: unknown): void =>
    log.warn("SES was not told to look for the records of a domain again", { domain, reason: reasonOf(cause) })

  return {
    async register(domain, abort, mark) {
      const body = { EmailIdentity: domain, Tags: [{ Key: ownTag, Value: mark }] }
      await ask({ method: "POST", path: "/v2/email/identities", body, abort }, "AlreadyExistsException")
      const found = await find(domain, abort)
      if (found === undefined) throw new Error(`SES does not find ${domain} that it has just registered`)
      const changes = changesOf(domain, found)
      for (const { path, body, isAgain } of changes) {
        const changing = ask({ method: "PUT", path, body, abort })
        await (isAgain ? changing.catch((cause) => notAgain(domain, cause)) : changing)
      }
      const changed = changes.length > 0 ? await find(domain, abort) : found
      return identityIn(domain, changed ?? found, region)
    },
    async read(domain, abort) {
      const found = await find(domain, abort)
      return found && identityIn(domain, found, region)
    },
    async remove(domain, abort) {
      const found = await find(domain, abort)
      if (found === undefined) return
      if (markIn(found) === null) {
        log.info("A domain stays registered in SES, because it was not registered here", { domain })
        return
      }
      await ask({ method: "DELETE", path: pathOf(domain), abort }, "NotFoundException")
    },
  }
}

const pathOf = (domain: string): string => `/v2/email/identities/${encodeURIComponent(domain)}`

const isError = (answer: Json | AwsError): answer is AwsError =>
  typeof answer.status === "number" && typeof answer.type === "string"

interface Change extends Pick<AwsCall, "path" | "body"> {
  /** Whether SES has looked for the records before, and given up. */
  readonly isAgain: boolean
}

/**
 * The settings of an identity that have to be sent to SES. It looks for records for 72 hours, and then only after the
 * setting is sent again: https://docs.aws.amazon.com/ses/latest/dg/mail-from.html.
 */
function changesOf(domain: string, identity: Json): Change[] {
  const { Status, SigningAttributesOrigin = easyDkim } = objectIn(identity.DkimAttributes)
  const { BehaviorOnMxFailure = "USE_DEFAULT_VALUE" } = objectIn(identity.MailFromAttributes)
  const { domain: known, status } = mailFromIn(identity)
  const mailFrom = { MailFromDomain: known ?? mailFromOf(domain), BehaviorOnMxFailure }
  const changes: Change[] = []
  // A key provided by the owner (BYODKIM) is kept. Only this path is of the first API version.
  if (statusOf(Status) === "FAILED" && SigningAttributesOrigin === easyDkim) {
    const path = `/v1/email/identities/${encodeURIComponent(domain)}/dkim/signing`
    changes.push({ path, body: { SigningAttributesOrigin }, isAgain: true })
  }
  if (known === undefined || status === "FAILED")
    changes.push({ path: `${pathOf(domain)}/mail-from`, body: mailFrom, isAgain: known !== undefined })
  return changes
}

/** SES requires a subdomain at which nothing else receives mail. */
const mailFromOf = (domain: string): string => `ses-bounce.${domain}`

const objectIn = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {})

function mailFromIn(identity: Json): { domain: string | undefined; status: IdentityStatus } {
  const { MailFromDomain: domain, MailFromDomainStatus: status } = objectIn(identity.MailFromAttributes)
  return { domain: typeof domain === "string" && domain !== "" ? domain : undefined, status: statusOf(status) }
}

function markIn({ Tags }: Json): string | null {
  const own = Array.isArray(Tags) ? Tags.map(objectIn).find(({ Key }) => Key === ownTag) : undefined
  return own === undefined ? null : String(own.Value)
}

/**
 * Maps PENDING, SUCCESS, FAILED, TEMPORARY_FAILURE and NOT_STARTED to our statuses; after a temporary failure SES keeps
 * looking.
 */
const statusOf = (status: unknown): IdentityStatus =>
  status === "SUCCESS" ? "VERIFIED" : status === "FAILED" ? "FAILED" : "PENDING"

function identityIn(domain: string, identity: Json, region: string): DomainIdentity {
  const { Status, Tokens, SigningHostedZone, SigningAttributesOrigin } = objectIn(identity.DkimAttributes)
  const dkim = statusOf(Status)
  // With a key provided by the owner there is a selector instead of tokens, and no CNAME.
  const tokens = SigningAttributesOrigin === "EXTERNAL" || !Array.isArray(Tokens) ? [] : Tokens.map(String)
  // Newer regions have their own DNS zones, which the answer names.
  const named = typeof SigningHostedZone === "string" ? SigningHostedZone.replace(/\.$/, "") : ""
  const zone = named === "" ? "dkim.amazonses.com" : named
  return {
    mark: markIn(identity),
    status: identity.VerifiedForSendingStatus === true ? "VERIFIED" : dkim === "FAILED" ? "FAILED" : "PENDING",
    dkimTokens: tokens,
    records: [
      ...tokens.map((token) => dkimRecord(domain, { token, zone, status: dkim })),
      ...pathRecords(identity, region),
    ],
  }
}

const dkimRecord = (
  domain: string,
  { token, zone, status }: { token: string; zone: string; status: IdentityStatus },
): IdentityRecord => ({
  purpose: "DKIM",
  type: "CNAME",
  name: `${token}._domainkey.${domain}`,
  value: `${token}.${zone}`,
  required: true,
  status,
})

/** Of the MAIL FROM domain; without these SES uses one of its own, and SPF is not aligned. */
function pathRecords(identity: Json, region: string): IdentityRecord[] {
  const { domain: name, status } = mailFromIn(identity)
  if (name === undefined) return []
  const shared = { name, required: false, status }
  return [
    { ...shared, purpose: "SPF", type: "TXT", value: "v=spf1 include:amazonses.com ~all" },
    { ...shared, purpose: "RETURN_PATH", type: "MX", value: `feedback-smtp.${region}.amazonses.com`, priority: 10 },
  ]
}
