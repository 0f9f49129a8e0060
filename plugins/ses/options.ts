import { readEndpoint } from "../../src/kernel/api-call.ts"
import { isAwsRegion } from "../../src/kernel/aws-region.ts"
import { optionsIn, wholeIn } from "../../src/kernel/url-options.ts"

export type Env = (name: string) => string | undefined

/** The API endpoints of a region, and the credentials. */
export interface AwsAccess {
  readonly region: string
  readonly sesEndpoint: string
  readonly snsEndpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

export interface SesOptions extends AwsAccess {
  /** The configuration set whose event destinations get the reports; null: that of the identity, if it has one. */
  readonly configurationSet: string | null
  /** Requests at once. */
  readonly pool: number
  readonly timeoutMs: number
}

const known = ["configuration_set", "pool", "timeout"]

/** Throws an Error that says what is wrong, without anything secret in it. */
export function readOptions(url: URL, env: Env): SesOptions {
  const query = optionsIn(url, known)
  if (url.username !== "" || url.port !== "")
    throw new Error("write it as ses://REGION; credentials are taken from the AWS environment")
  return {
    ...readAccess(url.hostname, env),
    configurationSet: readName(query.get("configuration_set")),
    pool: wholeIn(query, "pool", { most: 200, absent: 16 }),
    timeoutMs: 1_000 * wholeIn(query, "timeout", { most: 300, absent: 60 }),
  }
}

/** The credentials of the AWS environment, and the endpoints: those of the region, or those that `AWS_ENDPOINT_URL*` name. */
export function readAccess(region: string, env: Env): AwsAccess {
  if (!isAwsRegion(region)) throw new Error(`"${region}" is no AWS region such as eu-west-1`)
  const missing = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].filter((name) => !env(name)?.trim())
  if (missing.length > 0) {
    throw new Error(`${missing.join(" and ")} must be set in the environment; profiles and instance roles are not read`)
  }
  const suffix = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
  const endpoint = (service: string, name: string) => {
    const [variable, value] = [`AWS_ENDPOINT_URL_${service}`, "AWS_ENDPOINT_URL"]
      .map((variable) => [variable, env(variable)?.trim()] as const)
      .find(([, value]) => value) ?? ["", ""]
    return value ? readEndpoint(variable, value) : `https://${name}.${region}.${suffix}`
  }
  return {
    region,
    sesEndpoint: endpoint("SESV2", "email"),
    snsEndpoint: endpoint("SNS", "sns"),
    accessKeyId: env("AWS_ACCESS_KEY_ID")?.trim() ?? "",
    secretAccessKey: env("AWS_SECRET_ACCESS_KEY")?.trim() ?? "",
    sessionToken: env("AWS_SESSION_TOKEN")?.trim() || undefined,
  }
}

function readName(value: string | undefined): string | null {
  if (value === undefined) return null
  if (/^[\w-]{1,64}$/.test(value)) return value
  throw new Error("configuration_set is a name of letters, digits, _ and -")
}
