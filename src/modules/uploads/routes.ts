import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { fileIn } from "../../http/form.ts"
import { about, answers, fileBody, named, oneOf, refuses } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { malformed, notFound } from "../../kernel/errors.ts"
import { keyOf, type Uploads } from "./actions.ts"
import { imageTypes } from "./table.ts"

/** Contract B7.3.1. */
const limit = { fileBytes: 10 * 1_048_576 }
const part = "image"
const prefix = "/uploads"

export const uploadSchema = named(
  "Upload",
  t.Object({
    url: about("Public, and the same for ever.", t.String()),
    key: about("The last part of the URL.", t.String()),
    filename: about("The name it was sent with.", t.String()),
    contentType: oneOf(imageTypes),
    size: about("Bytes.", t.Integer()),
  }),
)

const example = {
  url: "https://mail.acme.test/uploads/0199c0de-0000-7000-8000-000000000001.png",
  key: "0199c0de-0000-7000-8000-000000000001.png",
  filename: "logo.png",
  contentType: "image/png",
  size: 4096,
} as const

export interface UploadRouteDeps {
  readonly uploads: Uploads
  /** Prefix of public links. */
  readonly baseUrl: () => string
}

/** Images for mail: their upload, and their public addresses (contract B7.3.1, B7.3.3). */
export function uploadRoutes({ uploads, baseUrl }: UploadRouteDeps, protect: Protect) {
  const add = new Elysia({ detail: { tags: ["Uploads"] } }).use(protect({ accept: "member", form: limit })).post(
    `${prefix}/image`,
    async ({ project, body }) => {
      const file = fileIn(body, part, limit)
      if (file === undefined) throw malformed(`Send an image as the part "${part}" of a multipart form.`)
      const upload = await uploads.add(project.id, new Uint8Array(await file.arrayBuffer()))
      const key = keyOf(upload)
      const { contentType, size } = upload
      return { url: `${baseUrl()}${prefix}/${key}`, key, filename: nameOf(file), contentType, size }
    },
    {
      detail: {
        operationId: "uploadImage",
        summary: "Upload an image for use in mail",
        description:
          "JPEG, PNG, GIF or WebP by its content, at most 10 MB and 40 million pixels, a JPEG of at most 100 scans, not an animated WebP. The same image again has the same URL.",
        requestBody: fileBody(part, "The image."),
        responses: { ...answers(200, uploadSchema, example), ...refuses(400, 409) },
      },
    },
  )

  async function show({ headers }: Request, key: string): Promise<Response> {
    const found = await uploads.open(key)
    if (found === undefined) throw notFound("Upload", key)
    const { hash, contentType, size } = found.upload
    const etag = `"${hash}"`
    const common = { ...isolated, ETag: etag, "Cache-Control": "public, max-age=31536000, immutable" }
    if (hasTag(headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: common })
    return new Response(found.bytes, {
      headers: {
        ...common,
        "Content-Type": contentType,
        "Content-Length": String(size),
        "Content-Disposition": `inline; filename="${key}"`,
      },
    })
  }

  return new Elysia()
    .use(add)
    .get(`${prefix}/:key`, ({ request, params }) => show(request, params.key), { detail: { hide: true } })
}

/**
 * An image that is also valid as another type of document gets no rights on this origin; mail on any origin may embed
 * it.
 */
const isolated = {
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
}

/** The name that the client gave, without folders and control characters. */
const nameOf = ({ name }: File): string =>
  (name ?? "")
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\p{Cc}/gu, "")
    .slice(0, 255)
    .toWellFormed() ?? ""

/** Whether the list of an If-None-Match has a tag, compared weakly (RFC 9110, 13.1.2). */
const hasTag = (list: string | null, tag: string): boolean =>
  list?.split(",").some((one) => ["*", tag].includes(one.trim().replace(/^W\//, ""))) ?? false
