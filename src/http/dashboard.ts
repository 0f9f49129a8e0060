import type { FrameProps } from "../dashboard/frame/frame.tsx"
import bundle from "../dashboard/index.html"
import { acceptedEncoding, compressQuickly, compressWell, type Encoding, encodings, quick } from "./compression.ts"
import { createDashboardPage, type DashboardPage } from "./dashboard-page.ts"
import type { Visitor } from "./dashboard-routes.ts"
import { physicalSides } from "./dashboard-styles.ts"
import { documentPolicy } from "./document-policy.ts"

/** Serves the dashboard's single page and its files below `/app`. */
export interface DashboardHost {
  /**
   * Answers GET and HEAD for the page (`/app` and every deep link under it), for its assets, and for the blank document
   * that it shows mail in. Undefined for everything else: other paths and methods, unknown assets, and `/app/view/*`
   * and `/app/live/*`, which carry data. The page of a visitor has the frame in it: navigation and heading.
   */
  handle(request: Request, visitor?: () => Promise<Visitor | undefined>): Promise<Response | undefined>
}

interface DashboardOptions {
  /** Bundles again for every request of the page, for work on the dashboard. Has no effect in a compiled program. */
  readonly fresh?: boolean
}

type Bytes = Uint8Array<ArrayBuffer>

interface Asset {
  readonly type: string
  readonly bytes: Bytes
  /** Null when the content is already compressed. */
  readonly compressed: ((encoding: Encoding) => Promise<Bytes>) | null
}

interface Bundle {
  readonly page: DashboardPage
  readonly assets: ReadonlyMap<string, Asset>
}

const root = "/app"
const assetRoot = `${root}/assets/`
const blankPath = `${root}/document`
const dataRoots = [`${root}/view/`, `${root}/live/`]

const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
}

const blankDocument = '<!doctype html><html lang="en"><head><title>Document</title></head><body></body></html>'

/**
 * The document into which the page writes users' HTML while they edit it. It has our origin, so that the page can
 * access it, but no scripts, and no remote content until the user asks for it; uploaded images are ours.
 */
function answerBlank(remote: boolean, origin: string): Response {
  const policy = documentPolicy({ remote, isOurs: true, images: `${origin}/uploads/` })
  const headers = { ...pageHeaders, "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer" }
  return new Response(blankDocument, { headers })
}

/** Hosts the dashboard. It is bundled, or read from the executable, once, on the first request. */
export function createDashboardHost(options: DashboardOptions = {}): DashboardHost {
  let loaded: Promise<Bundle> | undefined
  const load = (again: boolean): Promise<Bundle> => {
    if (loaded === undefined || again) {
      loaded = bundle.files ? embedded(bundle.files) : bundled(bundle.index)
      // a failed bundle is tried again by the next request
      loaded.catch(() => {
        loaded = undefined
      })
    }
    return loaded
  }

  return {
    async handle(request, visitor) {
      if (request.method !== "GET" && request.method !== "HEAD") return undefined
      const { pathname, searchParams, origin } = new URL(request.url)
      if (pathname === blankPath) return withoutBody(request, answerBlank(searchParams.get("remote") === "1", origin))
      if (pathname.startsWith(assetRoot)) {
        const asset = (await load(false)).assets.get(pathname.slice(assetRoot.length))
        return asset && withoutBody(request, await answerAsset(request, asset))
      }
      if (!isPage(pathname)) return undefined
      const shown = await visitor?.()
      const { page } = await load(options.fresh === true)
      return withoutBody(request, await answerPage(request, page, shown && frameFor(pathname, shown)))
    },
  }
}

function isPage(pathname: string): boolean {
  if (pathname === root) return true
  if (!pathname.startsWith(`${root}/`) || dataRoots.some((data) => pathname.startsWith(data))) return false
  return !pathname.slice(pathname.lastIndexOf("/")).includes(".")
}

/** The frame of an address for a visitor; undefined for a project that is not open to them. */
function frameFor(pathname: string, { sandbox, projects }: Visitor): FrameProps | undefined {
  const named = /^\/app\/p\/([^/]+)/.exec(pathname)?.[1]
  const project = named === undefined && projects.length === 1 ? projects[0] : projects.find(({ id }) => id === named)
  if (named !== undefined && project === undefined) return undefined
  return { pathname, sandbox, project: project?.name, switches: !sandbox || projects.length > 1 }
}

async function answerPage(request: Request, page: DashboardPage, frame: FrameProps | undefined): Promise<Response> {
  const headers = new Headers({ ...pageHeaders, "Content-Security-Policy": page.policy, Vary: "Accept-Encoding" })
  // It shows who is signed in.
  if (frame) headers.set("Cache-Control", "no-store")
  const bytes = new TextEncoder().encode(page.document(frame))
  const encoding = acceptedEncoding(request.headers.get("Accept-Encoding") ?? "", quick)
  if (!encoding) return new Response(bytes, { headers })
  headers.set("Content-Encoding", encoding)
  return new Response(await compressQuickly(bytes, encoding), { headers })
}

/** Asset names carry a hash of their content, so browsers may cache them indefinitely. */
async function answerAsset(request: Request, asset: Asset): Promise<Response> {
  const headers = new Headers({
    "Content-Type": asset.type,
    "Cache-Control": "public, max-age=31536000, immutable",
    "Cross-Origin-Resource-Policy": "same-origin",
    Vary: "Accept-Encoding",
  })
  const encoding = acceptedEncoding(request.headers.get("Accept-Encoding") ?? "", encodings)
  if (!asset.compressed || !encoding) return new Response(asset.bytes, { headers })
  headers.set("Content-Encoding", encoding)
  return new Response(await asset.compressed(encoding), { headers })
}

const withoutBody = (request: Request, answer: Response): Response =>
  request.method === "HEAD" ? new Response(null, answer) : answer

/** Files with less source than this, in bytes, are merged into others that are loaded with them, if possible. */
const minChunkSize = 65_536

/** From source: the HTML import is only a path, so the bundler runs here, in memory. */
async function bundled(entry: string): Promise<Bundle> {
  const build = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    minify: true,
    splitting: true,
    minChunkSize,
    plugins: [physicalSides],
    define: { "process.env.NODE_ENV": '"production"' },
  })
  return collect(build.outputs.map((output) => ({ path: output.path, type: output.type, content: output })))
}

/** In a compiled program the HTML import is a manifest of files inside the executable. */
const embedded = (files: NonNullable<typeof bundle.files>): Promise<Bundle> =>
  collect(files.map(({ path, headers }) => ({ path, type: headers["content-type"], content: Bun.file(path) })))

interface Output {
  readonly path: string
  readonly type: string
  readonly content: Blob
}

/**
 * The bundler refers to its files as `/name` when compiled in and `./name` from source; neither is where they are served,
 * so the references of the page and of its scripts, which load each other, are rewritten.
 */
async function collect(outputs: readonly Output[]): Promise<Bundle> {
  const names = new Set(outputs.map(({ path }) => nameOf(path)))
  const withAssetPaths = (text: string): string =>
    text.replace(/(["'])\.?\/([\w.-]+)\1/g, (whole, quote: string, name: string) =>
      names.has(name) ? `${quote}${assetRoot}${name}${quote}` : whole,
    )
  const assets = new Map<string, Asset>()
  let html = ""
  for (const { path, type, content } of outputs) {
    const kept = new Uint8Array(await content.arrayBuffer())
    if (type.startsWith("text/html")) {
      html = withAssetPaths(new TextDecoder().decode(kept))
      continue
    }
    const isScript = type.startsWith("text/javascript")
    const bytes = isScript ? new TextEncoder().encode(withAssetPaths(new TextDecoder().decode(kept))) : kept
    assets.set(nameOf(path), { type, bytes, compressed: isText(type) ? compressor(bytes) : null })
  }
  const scriptAt = (path: string) => new TextDecoder().decode(assets.get(nameOf(path))?.bytes)
  return { page: await createDashboardPage(html, scriptAt), assets }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const isText = (type: string): boolean => /^(text\/|image\/svg)/.test(type)

/** Compresses at the highest level, once for each requested encoding. */
function compressor(bytes: Bytes): (encoding: Encoding) => Promise<Bytes> {
  const done = new Map<Encoding, Promise<Bytes>>()
  return (encoding) => {
    const known = done.get(encoding) ?? compressWell(bytes, encoding)
    done.set(encoding, known)
    return known
  }
}
