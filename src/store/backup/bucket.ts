import { DomainError } from "../../kernel/errors.ts"

/** Where in an S3-compatible store backups go: the parts of `backup.url`. */
export interface BucketPlace {
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly endpoint: string | undefined
  readonly region: string | undefined
}

/** A second place for backups. Reached at the operator's own word, so private addresses are fine. */
export interface Bucket {
  /** Streams the file in parts; resolves when the store has all of it. */
  put(name: string, path: string): Promise<void>
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
  return {
    async put(name, path) {
      await client.write(prefix + name, Bun.file(path), { partSize: partBytes, queueSize: 1, retry: 3 }).catch(named)
    },
    async remove(name) {
      await client.delete(prefix + name).catch(named)
    },
  }
}
