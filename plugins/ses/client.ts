import { AwsV4Signer } from "aws4fetch"
import { type ApiAnswer, type ApiRequest, callApi, jsonObject, showable } from "../../src/kernel/api-call.ts"
import type { TransportClock } from "../../src/mail/transport.ts"
import type { AwsAccess } from "./options.ts"

/** An answer that is an error, as the APIs of AWS tell it. */
export interface AwsError {
  readonly status: number
  /** For example `TooManyRequestsException`; empty when the answer names none. */
  readonly type: string
  /** Fit to be shown. */
  readonly message: string
}

export interface AwsCall {
  readonly method: ApiRequest["method"]
  /** With the query, for example `/v2/email/account`. */
  readonly path: string
  readonly body?: unknown
  readonly abort: AbortSignal
  readonly timeoutMs: number
  readonly graceMs?: number
}

/** The APIs of one region: requests are signed (Signature Version 4) and made once. */
export interface AwsClient {
  ses(call: AwsCall): Promise<ApiAnswer>
  /**
   * Like `ses`, for requests that send no mail: AWS answers about one of these per second, so a throttled request is
   * repeated a few times.
   */
  manage(call: AwsCall): Promise<ApiAnswer>
  /** An action of SNS with its parameters, in the form of the query API. */
  sns(parameters: Readonly<Record<string, string>>, options: Pick<AwsCall, "abort" | "timeoutMs">): Promise<ApiAnswer>
  /** The error that an answer is; undefined for a success. */
  errorIn(answer: ApiAnswer & { kind: "answered" }): AwsError | undefined
  show(words: string): string
}

const tooMany = /^(?:TooManyRequests|Throttling)/
const [mostRepeats, repeatMs] = [5, 1_000]

export function createAwsClient(access: AwsAccess, clock: TransportClock): AwsClient {
  const { region, accessKeyId, secretAccessKey, sessionToken } = access
  const secrets = [secretAccessKey, sessionToken ?? "", accessKeyId]
  const show = (words: string) => showable(words, secrets)
  // Keys that are derived for a day and a service; a day has two.
  const cache = new Map<string, ArrayBuffer>()

  async function signed(service: "ses" | "sns", request: ApiRequest): Promise<ApiRequest> {
    if (cache.size > 10) cache.clear()
    const datetime = new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, "")
    const { method, url, body } = request
    const signer = new AwsV4Signer({
      method,
      url,
      headers: request.headers,
      ...(body !== undefined && { body }),
      service,
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      cache,
      datetime,
    })
    const { headers } = await signer.sign()
    return { ...request, headers }
  }

  async function ses({ method, path, body, ...options }: AwsCall): Promise<ApiAnswer> {
    const request: ApiRequest = {
      method,
      url: access.sesEndpoint + path,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    return shown(await callApi(await signed("ses", request), options), show)
  }

  function errorIn({ status, headers, text }: ApiAnswer & { kind: "answered" }): AwsError | undefined {
    if (status >= 200 && status < 300) return undefined
    const json = jsonObject(text)
    // JSON of SES, XML of SNS and of what stands before both.
    const type = headers.get("x-amzn-errortype") ?? json?.__type ?? /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? ""
    const words = json?.message ?? json?.Message ?? /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? ""
    // As in `com.amazonaws.sesv2#NotFoundException` and `NotFoundException:http://internal/`.
    const [, name = ""] = /^(?:[^:#]*#)?([^:]*)/.exec(String(type)) ?? []
    return { status, type: show(name), message: show(String(words)) || `status ${status}` }
  }

  return {
    show,
    ses,
    async manage(call) {
      for (let repeats = 0; ; repeats++) {
        const answer = await ses(call)
        const error = answer.kind === "answered" ? errorIn(answer) : undefined
        if (error === undefined || !tooMany.test(error.type) || repeats === mostRepeats) return answer
        await clock.sleep(repeatMs, call.abort)
        if (call.abort.aborted) return answer
      }
    },
    async sns(parameters, options) {
      const body = new URLSearchParams({ ...parameters, Version: "2010-03-31" }).toString()
      const headers = { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" }
      const request: ApiRequest = { method: "POST", url: `${access.snsEndpoint}/`, headers, body }
      return shown(await callApi(await signed("sns", request), options), show)
    },
    errorIn,
  }
}

const shown = (answer: ApiAnswer, show: (words: string) => string): ApiAnswer =>
  answer.kind === "answered" ? answer : { ...answer, reason: show(answer.reason) }
