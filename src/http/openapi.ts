import { type AnyElysia, Elysia, NotFoundError } from "elysia"
import { acceptedEncoding } from "./compression.ts"
import { openApiDocument } from "./openapi/document.ts"
import { type DocsPage, loadPage, type PageOptions, pagePolicy } from "./openapi/page.ts"

interface DocumentationDeps extends Pick<PageOptions, "keys"> {
  /** Scheme, host and port under which clients reach this server. */
  readonly baseUrl: () => string
}

const documentPath = "/openapi.json"

/**
 * `GET /openapi.json` and `GET /docs` (contract A8.4) for all routes of the app that uses it. Each is built once, by the
 * first request for it.
 */
export const documentation =
  ({ baseUrl, ...options }: DocumentationDeps) =>
  (app: AnyElysia): AnyElysia => {
    let document: string | undefined
    let loading: Promise<DocsPage> | undefined
    const page = () => {
      loading ??= loadPage({ document: documentPath, ...options }).catch((cause: unknown) => {
        // A failed attempt is repeated by the next request.
        loading = undefined
        throw cause
      })
      return loading
    }
    return app.use(
      new Elysia({ detail: { hide: true } })
        .get(documentPath, () => {
          document ??= JSON.stringify(openApiDocument(app, baseUrl()))
          return new Response(document, { headers: jsonHeaders })
        })
        .get("/docs", async () => new Response((await page()).html, { headers: pageHeaders }))
        .get("/docs/:file", async ({ request, path }) => {
          const { scriptPath, script } = await page()
          if (path !== scriptPath) throw new NotFoundError()
          const encoding = acceptedEncoding(request.headers.get("Accept-Encoding") ?? "", ["gzip"])
          const encoded = encoding ? { "Content-Encoding": encoding } : {}
          return new Response(script(encoding !== undefined), { headers: { ...scriptHeaders, ...encoded } })
        }),
    )
  }

const jsonHeaders = { "Content-Type": "application/json", "Cache-Control": "no-cache" }
const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": pagePolicy,
  "Cache-Control": "no-cache",
  "Referrer-Policy": "same-origin",
}
const scriptHeaders = {
  "Content-Type": "text/javascript; charset=utf-8",
  // Its name contains a hash of its content.
  "Cache-Control": "public, max-age=31536000, immutable",
  "Cross-Origin-Resource-Policy": "same-origin",
  Vary: "Accept-Encoding",
}
