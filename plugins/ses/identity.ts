import { jsonObject } from "../../src/kernel/api-call.ts"
import type {
  DomainIdentity,
  IdentityRecord,
  IdentityStatus,
  TransportIdentity,
  TransportTools,
} from "../../src/mail/transport.ts"
import type { AwsCall, AwsClient, AwsError } from "./client.ts"
import type { SesOptions } from "./options.ts"

/** The tag with the mark of an identity that was made here: only those are deleted here. */
const ownTag = "mailstead"
const timeoutMs = 15_000

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

  const path = (domain: string) => `/v2/email/identities/${encodeURIComponent(domain)}`
  const find = (domain: string, abort: AbortSignal) =>
    ask({ method: "GET", path: path(domain), abort }, "NotFoundException")

  return {
    async register(domain, abort, mark) {
      const body = { EmailIdentity: domain, Tags: [{ Key: ownTag, Value: mark }] }
      await ask({ method: "POST", path: "/v2/email/identities", body, abort }, "AlreadyExistsException")
      const found = await find(domain, abort)
      if (found === undefined) throw new Error(`SES does not find ${domain} that it has just registered`)
      if (mailFromIn(found).domain !== undefined) return identityIn(domain, found, region)
      const mailFrom = { MailFromDomain: mailFromOf(domain), BehaviorOnMxFailure: "USE_DEFAULT_VALUE" }
      await ask({ method: "PUT", path: `${path(domain)}/mail-from`, body: mailFrom, abort })
      return identityIn(domain, (await find(domain, abort)) ?? found, region)
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
      await ask({ method: "DELETE", path: path(domain), abort }, "NotFoundException")
    },
  }
}

const isError = (answer: Json | AwsError): answer is AwsError =>
  typeof answer.status === "number" && typeof answer.type === "string"

/** SES wants a subdomain that nothing else receives mail at. */
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

/** PENDING, SUCCESS, FAILED, TEMPORARY_FAILURE and NOT_STARTED, in our words; after a temporary failure SES goes on looking. */
const statusOf = (status: unknown): IdentityStatus =>
  status === "SUCCESS" ? "VERIFIED" : status === "FAILED" ? "FAILED" : "PENDING"

function identityIn(domain: string, identity: Json, region: string): DomainIdentity {
  const { Status, Tokens, SigningHostedZone, SigningAttributesOrigin } = objectIn(identity.DkimAttributes)
  const dkim = statusOf(Status)
  // With a key of the owner's own there are no tokens but a selector, and no CNAME.
  const tokens = SigningAttributesOrigin === "EXTERNAL" || !Array.isArray(Tokens) ? [] : Tokens.map(String)
  // Newer regions have zones of their own, and name them.
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
