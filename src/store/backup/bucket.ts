import { Readable } from "node:stream"
import type { BucketPlace } from "../../config/bucket-url.ts"
import { orAbort } from "../../kernel/abort.ts"
import { showable } from "../../kernel/api-call.ts"
import { DomainError } from "../../kernel/errors.ts"
import { deleteObject, notS3, UploadFault, uploadFile } from "./bucket-upload.ts"
import { backupFault, backupStopped } from "./fault.ts"
import type { BackupSource } from "./source.ts"
import type { Bytes } from "./tar.ts"

/** A folder of an S3-compatible store. The operator has configured its address, so private addresses are allowed. */
export interface Bucket {
  /** Uploads the file; resolves when the store has all of it, and rejects within two seconds when `abort` fires. */
  put(name: string, path: string, abort: AbortSignal): Promise<void>
  /** Before a backup; rejects at once when `abort` fires. */
  has(name: string, abort: AbortSignal): Promise<boolean>
  /** What reads it ends with an error when `abort` does. */
  source(name: string, abort: AbortSignal): BackupSource
  /** Does nothing when there is no such file. Rejects at once when `abort` fires. */
  remove(name: string, abort: AbortSignal): Promise<void>
}

const credentials = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be those of a user who may read and write there."
const region = "Name the region of the bucket: &region=NAME."
/** What to do about the usual refusals, by their code. */
const advice: Readonly<Record<string, string>> = {
  ERR_S3_MISSING_CREDENTIALS: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
  InvalidAccessKeyId: credentials,
  SignatureDoesNotMatch: credentials,
  AccessDenied: credentials,
  AuthorizationHeaderMalformed: region,
  PermanentRedirect: region,
  NoSuchBucket: "Create it, or correct its name.",
  NoSuchKey: "It has no such file.",
  ConnectionRefused: "Nothing answers at its endpoint.",
  [notS3]: "Correct its endpoint: what answers there does not keep files.",
}

export function openBucket(place: BucketPlace, env: (name: string) => string | undefined): Bucket {
  const { bucket, prefix, endpoint } = place
  const optional = (name: string, value: string | undefined) => (value ? { [name]: value } : {})
  const keys = {
    accessKeyId: env("AWS_ACCESS_KEY_ID") ?? "",
    secretAccessKey: env("AWS_SECRET_ACCESS_KEY") ?? "",
    sessionToken: env("AWS_SESSION_TOKEN") || undefined,
  }
  const client = new Bun.S3Client({
    bucket,
    ...optional("endpoint", endpoint),
    ...optional("region", place.region),
    ...optional("accessKeyId", keys.accessKeyId),
    ...optional("secretAccessKey", keys.secretAccessKey),
    ...optional("sessionToken", keys.sessionToken),
  })
  const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | null)?.code ?? "no answer")
  const named = (cause: unknown): never => {
    if (cause instanceof UploadFault && cause.code === undefined)
      throw new DomainError(
        "unavailable",
        "BUCKET_UNAVAILABLE",
        `The bucket ${bucket} gave no answer: ${cause.message}.`,
      )
    const code = codeOf(cause)
    const sentences = [`The bucket ${bucket} refused it (${showable(code, [])}).`, advice[code]].filter(Boolean)
    throw new DomainError("unavailable", "BUCKET_UNAVAILABLE", sentences.join(" "))
  }
  /** An empty object has no range of bytes to ask for. */
  const first = (name: string, bytes: number): Promise<ArrayBuffer> =>
    client
      .file(prefix + name)
      .slice(0, bytes)
      .arrayBuffer()
      .catch((cause) => (codeOf(cause) === "InvalidRange" ? new ArrayBuffer(0) : Promise.reject(cause)))
  async function* contentOf(key: string, abort: AbortSignal): Bytes {
    const reader = client.file(key).stream().getReader()
    try {
      for (;;) {
        const { done, value } = await orAbort(reader.read(), abort)
        if (done) return
        yield value
      }
    } catch (cause) {
      named(cause)
    } finally {
      void reader.cancel().catch(() => {})
    }
  }
  // Requests the first byte, because a refusal of a HEAD request has no reason.
  async function has(name: string, abort: AbortSignal): Promise<boolean> {
    try {
      await orAbort(first(name, 1), abort)
      return true
    } catch (cause) {
      if (abort.aborted) throw backupStopped()
      return codeOf(cause) !== "NoSuchKey" && named(cause)
    }
  }
  /** The address and the region that the client takes for itself, as it puts them into links. */
  function targetOf(key: string) {
    const link = new URL(client.presign(key, { method: "PUT" }))
    const region = link.searchParams.get("X-Amz-Credential")?.split("/").at(-3) ?? ""
    return { url: link.origin + link.pathname, region, keys }
  }
  return {
    has,
    async put(name, path, abort) {
      try {
        await uploadFile(targetOf(prefix + name), path, abort)
      } catch (cause) {
        throw abort.aborted ? backupFault("The copy was stopped before its end.") : named(cause)
      }
    },
    source: (name, abort) => ({
      name: `s3://${bucket}/${prefix}${name}`,
      size: async () => (await orAbort(client.size(prefix + name), abort).catch(named)) || 0,
      beginning: async (bytes) => Buffer.from(await orAbort(first(name, bytes), abort).catch(named)),
      read: () => Readable.from(contentOf(prefix + name, abort), { objectMode: false }),
    }),
    remove: (name, abort) => deleteObject(targetOf(prefix + name), abort).catch(named),
  }
}
