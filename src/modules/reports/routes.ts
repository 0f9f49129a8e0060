import { Elysia } from "elysia"
import { type Credentials, hasCredentials, noCredentials } from "../../http/basic-auth.ts"
import { maxBodyBytes } from "../../http/body.ts"
import { answers, byAnyone, refuses } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { notFound } from "../../kernel/errors.ts"
import type { Reports } from "./actions.ts"
import { done, doneExample } from "./document.ts"
import type { ReadPostmark } from "./postmark-thread.ts"
import type { ProvidedMail } from "./provided.ts"
import type { ProviderReport } from "./provider-report.ts"

/** SNS messages have 256 KB at most, more as JSON in JSON. */
const mostOfSns = 1_048_576
/** Mail that Postmark has received has up to 35 MB of files, in base64. */
const mostOfPostmark = maxBodyBytes

interface Receivers {
  /** Absent when it is not configured. */
  readonly sns: ((body: Uint8Array) => Promise<ProviderReport | ProvidedMail | undefined>) | undefined
  readonly postmark: (Credentials & { readonly read: ReadPostmark }) | undefined
}

const answered = { ...answers(200, done, doneExample), ...refuses(400, 403, 404, 413) }

/** What providers report of mail that has left (contract B9.1). Their requests have no key: each proves itself. */
export function reportRoutes(reports: Reports, { sns, postmark }: Receivers, { readBody }: Pick<Protect, "readBody">) {
  const apply = async (received: ProviderReport | ProvidedMail | undefined) => {
    if (received && "raw" in received) await reports.takeMail(received)
    else if (received) await reports.receive(received)
    return doneExample
  }
  const missing = () => notFound("Webhook", "")

  return new Elysia({ prefix: "/webhooks", detail: { tags: ["Webhooks"], security: byAnyone } })
    .post(
      "/sns",
      async ({ request }) => {
        if (sns === undefined) throw missing()
        return apply(await sns(await readBody(request, mostOfSns)))
      },
      {
        parse: "none",
        detail: {
          operationId: "receiveSns",
          summary: "Take a report on mail that went by Amazon",
          description:
            "For Amazon SNS: deliveries, bounces, complaints, opens and clicks of SES, signed by Amazon. Only the topics of the setting `ses.topics` are accepted; a subscription to one of them is confirmed by itself.",
          responses: answered,
        },
      },
    )
    .post(
      "/postmark",
      async ({ request }) => {
        if (postmark === undefined) throw missing()
        if (!hasCredentials(request.headers.get("authorization"), postmark)) throw noCredentials("the webhook")
        return apply(await postmark.read(await readBody(request, mostOfPostmark)))
      },
      {
        parse: "none",
        detail: {
          operationId: "receivePostmark",
          summary: "Take a report on mail that went by Postmark",
          description:
            "For the webhooks of Postmark, with the user and the password of the settings `postmark.webhook_user` and `postmark.webhook_password` as basic authentication.",
          responses: { ...answered, ...refuses(401) },
        },
      },
    )
    .post(
      "/incoming/:processor",
      () => {
        throw missing()
      },
      { parse: "none", detail: { hide: true } },
    )
}
