import { Readable } from "node:stream"
import type { BucketPlace } from "../../config/bucket-url.ts"
import { DomainError } from "../../kernel/errors.ts"
import type { BackupSource } from "./source.ts"
import type { Bytes } from "./tar.ts"

/** A folder of an S3-compatible store. Reached at the operator's own word, so private addresses are fine. */
export interface Bucket {
  /** Streams the file in parts; resolves when the store has all of it. */
  put(name: string, path: string): Promise<void>
  has(name: string): Promise<boolean>
  source(name: string): BackupSource
  remove(name: string): Promise<void>
}

const partBytes = 8 * 1_048_576

export function openBucket(
  { bucket, prefix, endpoint, region }: BucketPlace,
  env: (name: string) => string | undefined,
): Bucket {
  const optional = (name: string, value: string | undefined) => (value ? { [name]: value } : {})
  const client = new Bun.S3Client({
    bucket,
    ...optional("endpoint", endpoint),
    ...optional("region", region),
    ...optional("accessKeyId", env("AWS_ACCESS_KEY_ID")),
    ...optional("secretAccessKey", env("AWS_SECRET_ACCESS_KEY")),
    ...optional("sessionToken", env("AWS_SESSION_TOKEN")),
  })
  const named = (cause: unknown): never => {
    const code = String((cause as { code?: unknown } | null)?.code ?? "no answer")
    throw new DomainError("unavailable", "BUCKET_UNAVAILABLE", `The bucket ${bucket} refused it (${code}).`)
  }
  async function* contentOf(key: string): Bytes {
    try {
      yield* client.file(key).stream()
    } catch (cause) {
      named(cause)
    }
  }
  return {
    async put(name, path) {
      await client.write(prefix + name, Bun.file(path), { partSize: partBytes, queueSize: 1, retry: 3 }).catch(named)
    },
    has: (name) => client.exists(prefix + name).catch(named),
    source: (name) => ({
      name: `s3://${bucket}/${prefix}${name}`,
      size: async () => (await client.size(prefix + name).catch(named)) || 0,
      beginning: async (bytes) =>
        Buffer.from(
          await client
            .file(prefix + name)
            .slice(0, bytes)
            .arrayBuffer()
            .catch(named),
        ),
      read: () => Readable.from(contentOf(prefix + name), { objectMode: false }),
    }),
    async remove(name) {
      await client.delete(prefix + name).catch(named)
    },
  }
}
