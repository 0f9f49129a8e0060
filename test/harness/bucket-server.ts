import { createHash } from "node:crypto"

/**
 * An S3-compatible store on 127.0.0.1: objects whole and in parts, each with its MD5, as in a bucket with a default retention.
 * It takes the key AKIA and does not verify signatures.
 */
export interface BucketServer {
  readonly origin: string
  /** By the path, `/bucket/name`. */
  readonly objects: ReadonlyMap<string, Buffer>
  /** The uploads that were begun and neither completed nor dropped, with their parts by number. */
  readonly uploads: ReadonlyMap<string, ReadonlyMap<number, Buffer>>
  /** The status of the next answers to what is uploaded, none of which is kept then. */
  readonly faults: number[]
  isOpen: boolean
  /** What the answer to each upload waits for. */
  held: Promise<void> | undefined
  /** Called when an object is to be deleted, which waits for it. */
  beforeDeletion: (() => Promise<void>) | undefined
  stop(): Promise<void>
}

export function startBucketServer(): BucketServer {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const error = (status: number, code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status })

  const faults: number[] = []
  const tagOf = (bytes: Buffer) => `"${createHash("md5").update(bytes).digest("hex")}"`
  let begun = 0

  /** Puts the parts together that the request names, as they were tagged. */
  function complete(id: string, parts: ReadonlyMap<number, Buffer>, pathname: string, list: string): Response {
    const named = [...list.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
    const chosen = named.map(([, number, tag]) => ({ bytes: parts.get(Number(number)), tag }))
    const whole = chosen.map(({ bytes = Buffer.alloc(0) }) => bytes)
    if (whole.length === 0 || chosen.some(({ bytes, tag }) => bytes === undefined || tagOf(bytes) !== tag))
      return error(400, "InvalidPart")
    if (whole.slice(0, -1).some((bytes) => bytes.length < 5 * 1_048_576)) return error(400, "EntityTooSmall")
    objects.set(pathname, Buffer.concat(whole))
    uploads.delete(id)
    return new Response("<CompleteMultipartUploadResult/>")
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    const upload = searchParams.get("uploadId")
    const parts = uploads.get(upload ?? "")
    if (!it.isOpen || !request.headers.get("authorization")?.includes("Credential=AKIA/"))
      return error(403, "AccessDenied")
    if (request.method === "POST" && upload === null) {
      const id = `upload-${begun++}`
      uploads.set(id, new Map())
      return new Response(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (upload !== null && parts === undefined) return error(404, "NoSuchUpload")
    if (request.method === "POST") return complete(upload ?? "", parts ?? new Map(), pathname, body.toString())
    if (request.method === "PUT") {
      await it.held
      const fault = faults.shift()
      if (fault !== undefined) return error(fault, "SlowDown")
      const digest = request.headers.get("content-md5")
      if (digest === null) return error(400, "InvalidRequest")
      if (digest !== createHash("md5").update(body).digest("base64")) return error(400, "BadDigest")
      if (parts === undefined) objects.set(pathname, body)
      else parts.set(Number(searchParams.get("partNumber")), body)
      return new Response(null, { headers: { ETag: tagOf(body) } })
    }
    if (request.method === "DELETE" && upload !== null)
      return new Response(null, { status: uploads.delete(upload) ? 204 : 404 })
    if (request.method === "DELETE") await it.beforeDeletion?.()
    if (request.method === "DELETE") return new Response(null, { status: objects.delete(pathname) ? 204 : 404 })
    const object = objects.get(pathname)
    if (object === undefined) return error(404, "NoSuchKey")
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? []
    if (from === undefined) return new Response(new Uint8Array(object))
    if (Number(from) >= object.length) return error(416, "InvalidRange")
    return new Response(new Uint8Array(object.subarray(Number(from), Number(to) + 1)), { status: 206 })
  }

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer })
  const it: BucketServer = {
    origin: server.url.origin,
    objects,
    uploads,
    faults,
    isOpen: true,
    held: undefined,
    beforeDeletion: undefined,
    stop: () => server.stop(true),
  }
  return it
}
