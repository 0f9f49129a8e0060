/** An S3-compatible store on 127.0.0.1: objects whole and in parts. It takes the key AKIA and does not verify signatures. */
export interface BucketServer {
  readonly origin: string
  /** By the path, `/bucket/name`. */
  readonly objects: ReadonlyMap<string, Buffer>
  isOpen: boolean
  /** What the answer to each upload waits for. */
  held: Promise<void> | undefined
  stop(): Promise<void>
}

export function startBucketServer(): BucketServer {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const error = (status: number, code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status })

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    const upload = searchParams.get("uploadId")
    const parts = uploads.get(upload ?? "")
    if (!it.isOpen || !request.headers.get("authorization")?.includes("Credential=AKIA/"))
      return error(403, "AccessDenied")
    if (request.method === "POST" && upload === null) {
      const id = `upload-${uploads.size}`
      uploads.set(id, new Map())
      return new Response(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (request.method === "POST") {
      const numbers = [...(parts ?? [])].toSorted(([one], [other]) => one - other)
      objects.set(pathname, Buffer.concat(numbers.map(([, part]) => part)))
      return new Response("<CompleteMultipartUploadResult/>")
    }
    if (request.method === "PUT") {
      await it.held
      if (parts === undefined) objects.set(pathname, body)
      else parts.set(Number(searchParams.get("partNumber")), body)
      return new Response(null, { headers: { ETag: '"1"' } })
    }
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
    isOpen: true,
    held: undefined,
    stop: () => server.stop(true),
  }
  return it
}
