import { createHash } from "node:crypto"
import { AwsV4Signer } from "aws4fetch"
import { type ApiAnswer, type ApiRequest, type CallOptions, callApi } from "../../kernel/api-call.ts"
import { minute, second } from "../../kernel/clock.ts"

/** The credentials of the upload, from the environment. */
interface BucketKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

interface UploadTarget {
  /** The URL of the object, without a query. */
  readonly url: string
  readonly region: string
  readonly keys: BucketKeys
}

/** The refusal of a store: `code` is its error code, undefined when there was no complete answer. */
export class UploadFault extends Error {
  constructor(
    readonly code: string | undefined,
    message: string,
  ) {
    super(message)
  }
}

// All parts but the last must have 5 MiB at least, and there may be 10,000 (Amazon S3, multipart upload limits).
const leastPartBytes = 8 * 1_048_576
const mostParts = 10_000
const mostRepeats = 3
/** The time limit for a part, in ms. */
const partMs = 10 * minute
/** The time limit for deleting an object, in ms. */
const deleteMs = 30 * second
/** How long an aborted upload waits for the store to delete its parts, in ms. */
const discardMs = 2 * second

/**
 * Uploads a file as an object, in parts unless it is small; one part is in memory at a time. Each is sent with its MD5,
 * which S3 requires in a bucket with a default retention (Object Lock). A part that is refused or lost is sent again,
 * up to three times. After a failure the store is told to delete the parts. Rejects with an UploadFault; within two
 * seconds when `abort` fires.
 */
export async function uploadFile(target: UploadTarget, path: string, abort: AbortSignal): Promise<void> {
  const file = Bun.file(path)
  const { size } = file
  const partBytes = Math.max(leastPartBytes, Math.ceil(size / mostParts))
  const partAt = async (from: number) => new Uint8Array(await file.slice(from, from + partBytes).arrayBuffer())
  const limits = { abort, timeoutMs: partMs }
  const send = (method: ApiRequest["method"], query: Query, body?: Body) => sendTo(target, method, query, limits, body)
  if (size <= partBytes) {
    tagIn(await send("PUT", {}, await partAt(0)))
    return
  }
  const uploadId = elementIn((await send("POST", { uploads: "" })).text, "UploadId")
  if (uploadId === undefined) throw new UploadFault(notS3, "The store began no upload")
  try {
    const tags: string[] = []
    for (let from = 0; from < size; from += partBytes) {
      const partNumber = String(tags.length + 1)
      tags.push(tagIn(await send("PUT", { partNumber, uploadId }, await partAt(from))))
    }
    const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
    const list = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
    const { text } = await send("POST", { uploadId }, list)
    if (!text.includes("<CompleteMultipartUploadResult")) throw new UploadFault(notS3, "The store did not say that")
  } catch (cause) {
    const limits = { abort: AbortSignal.timeout(discardMs), timeoutMs: discardMs }
    await sendTo(target, "DELETE", { uploadId }, limits).catch(() => {})
    throw cause
  }
}

/**
 * Deletes an object; does nothing when there is none. Rejects with an UploadFault, also when the store gives no whole
 * answer in time.
 */
export async function deleteObject(target: UploadTarget, abort: AbortSignal): Promise<void> {
  try {
    await sendTo(target, "DELETE", {}, { abort, timeoutMs: deleteMs })
  } catch (cause) {
    if (!(cause instanceof UploadFault && isAbsent(cause.code))) throw cause
  }
}

const isAbsent = (code: string | undefined): boolean => code === "NoSuchKey" || code === "status 404"

/** The code when an answer without an error is not from S3, as that of a proxy or of another web server is. */
export const notS3 = "no answer of S3"

/** What identifies the content that was stored: S3 tells it with each success. */
function tagIn({ headers }: Answered): string {
  const tag = headers.get("etag")
  if (tag === null) throw new UploadFault(notS3, "The store did not say what it has stored")
  return tag
}

type Answered = ApiAnswer & { kind: "answered" }
type Query = Readonly<Record<string, string>>
type Body = ApiRequest["body"]

/** Resolves to the first answer that is not an error. */
async function sendTo(
  target: UploadTarget,
  method: ApiRequest["method"],
  query: Query,
  limits: CallOptions,
  body?: Body,
): Promise<Answered> {
  for (let left = mostRepeats; ; left--) {
    const request = await signed(target, method, query, body)
    const answer = await callApi(request, limits)
    const fault = faultIn(answer)
    if (answer.kind === "answered" && fault === undefined) return answer
    if (left === 0 || limits.abort.aborted || (method === "DELETE" && isAbsent(fault?.code))) throw fault
  }
}

async function signed(
  { url, region, keys }: UploadTarget,
  method: ApiRequest["method"],
  query: Query,
  body?: Body,
): Promise<ApiRequest> {
  const { accessKeyId, secretAccessKey, sessionToken } = keys
  const address = new URL(url)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  const signer = new AwsV4Signer({
    method,
    url: address.href,
    headers: {
      "Content-Type": "application/octet-stream",
      ...(body !== undefined && { "Content-MD5": createHash("md5").update(body).digest("base64") }),
    },
    service: "s3",
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
  })
  const { headers } = await signer.sign()
  return { method, url: address.href, headers, ...(body !== undefined && { body }) }
}

/** An upload that cannot be completed may be answered with 200 and an error (Amazon S3, CompleteMultipartUpload). */
function faultIn(answer: ApiAnswer): UploadFault | undefined {
  if (answer.kind !== "answered") return new UploadFault(undefined, answer.reason)
  const code = elementIn(answer.text, "Code")
  if (code === undefined && answer.status >= 200 && answer.status < 300) return undefined
  return new UploadFault(code ?? `status ${answer.status}`, "The store refused it")
}

const elementIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1]
