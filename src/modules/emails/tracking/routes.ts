import { Elysia } from "elysia"
import type { Links } from "../../../mail/links.ts"
import type { HitWriter } from "./hit-writer.ts"
import type { LinkStore } from "./links.ts"

interface TrackingDeps {
  readonly links: Links
  readonly stored: LinkStore
  readonly hits: HitWriter
  /** The page for an unknown link: status 404. */
  readonly badLink: (request: Request) => Response
}

/** One transparent pixel. */
const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")
const never = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer" }
const pixelHeaders = {
  ...never,
  "Content-Type": "image/gif",
  "Content-Length": String(pixel.length),
  // Webmail on other origins displays it.
  "Cross-Origin-Resource-Policy": "cross-origin",
}

/**
 * The URLs in tracked messages (contract A7.3.3). A hit is counted before it is answered; one that cannot be stored is
 * answered anyway, because the reader must not be affected. `HEAD` must not be converted to `GET` before it arrives
 * here, because it is not counted.
 */
export const trackingRoutes = ({ links, stored, hits, badLink }: TrackingDeps) => {
  const image = async ({ method }: Request, file: string) => {
    const emailId = file.endsWith(".gif") ? links.readOpen(file.slice(0, -".gif".length)) : undefined
    if (emailId !== undefined && method !== "HEAD") await hits.save(emailId, null)
    return new Response(pixel, { headers: pixelHeaders })
  }

  const follow = async (request: Request, token: string) => {
    const known = links.readClick(token)
    const target = known && (await stored.find(known.link))
    if (known === undefined || target === undefined) return badLink(request)
    if (request.method !== "HEAD") await hits.save(known.emailId, known.link)
    return new Response(null, { status: 302, headers: { ...never, Location: target } })
  }

  return new Elysia({ prefix: "/t", detail: { hide: true } })
    .get("/o/:file", ({ request, params }) => image(request, params.file))
    .get("/c/:token", ({ request, params }) => follow(request, params.token))
}
