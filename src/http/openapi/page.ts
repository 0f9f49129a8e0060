import { promisify } from "node:util"
import { gzip } from "node:zlib"
// The package does not list its browser build among its exports, so it is imported by its path.
import scriptFile from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" }
import css from "./page.css" with { type: "text" }

/** The documentation page: its HTML, the same for everybody, and the script that renders it. */
export interface DocsPage {
  readonly html: string
  /** The path of the script; it changes with the content. */
  readonly scriptPath: string
  /** The script, compressed for clients that accept gzip. */
  script(acceptsGzip: boolean): Uint8Array<ArrayBuffer>
}

export interface PageOptions {
  readonly document: string
  /** Keys to fill in, where they are not secret. */
  readonly keys?: { readonly secret: string; readonly public: string }
}

/**
 * The content security policy of the page: it may not contact other servers. Styles are written by the script, hence
 * `unsafe-inline`.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** Reads and compresses the script of 4 MB; only the compressed form is kept in memory. */
export async function loadPage(options: PageOptions): Promise<DocsPage> {
  const script = await Bun.file(scriptFile).bytes()
  const packed = new Uint8Array(await promisify(gzip)(script))
  const scriptPath = `/docs/reference-${Bun.hash(script).toString(36)}.js`
  return {
    html: pageHtml(scriptPath, options),
    scriptPath,
    script: (acceptsGzip) => (acceptsGzip ? packed : Bun.gunzipSync(packed)),
  }
}

/**
 * What the script reads (https://github.com/scalar/scalar, configuration): everything that would contact its vendor is
 * off.
 */
const settings = ({ document, keys }: PageOptions) => ({
  url: document,
  theme: "none",
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  orderSchemaPropertiesBy: "preserve",
  // The origin of the page: its policy allows no other, not even another name of this server.
  servers: [{ url: "/" }],
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "direct",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "Mailstead API" },
  ...(keys && {
    authentication: { securitySchemes: { secretKey: { token: keys.secret }, publicKey: { token: keys.public } } },
  }),
})

const pageHtml = (scriptPath: string, options: PageOptions): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Mailstead API</title>
    <link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(icon)}">
    <style>${css}</style>
  </head>
  <body>
    <noscript>This page needs JavaScript. <a href="${options.document}">${options.document}</a> has the same in JSON.</noscript>
    <script id="api-reference" type="application/json" data-configuration="${Bun.escapeHTML(JSON.stringify(settings(options)))}"></script>
    <script src="${scriptPath}"></script>
  </body>
</html>
`

/** The logo of the dashboard. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#20232f"/><g transform="translate(4.4 4.3) scale(.75)" fill="none" stroke="#e5ad48" stroke-width="2.9" stroke-linecap="round" stroke-linejoin="round"><path d="M4 13.5 16 4l12 9.5V27a1.5 1.5 0 0 1-1.5 1.5h-21A1.5 1.5 0 0 1 4 27Z"/><path d="m4.5 14.5 10.2 7.3a2.2 2.2 0 0 0 2.6 0l10.2-7.3"/></g></svg>`
