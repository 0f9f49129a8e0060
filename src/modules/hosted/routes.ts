import { Elysia } from "elysia"
import type { Links, PageKind } from "../../mail/links.ts"
import type { Bearer, HostedActions } from "./actions.ts"
import { readFields } from "./fields.ts"
import { pageResponse } from "./frame.ts"
import { languageOf } from "./language.ts"
import { badLinkPage, gonePage, managePage, subscribePage, unsubscribePage, type Visitor, type Ways } from "./pages.ts"

/** What a form asks for; `undefined` when it does not say. */
interface Wish {
  readonly subscribed: boolean | undefined
  readonly reason: "link" | "one_click"
}

/** The pages that mail links to (contract A7.4). The token is the only credential; `GET` changes nothing. */
export function hostedRoutes(hosted: HostedActions, links: Links) {
  /** Relative, because a visitor may come by another name of this server, and a form may not lead elsewhere. */
  const waysOf = (request: Request, { contactId, emailId }: Bearer): Ways => {
    const up = request.url.endsWith("/") ? "../.." : ".."
    const way = (kind: PageKind) => `${up}/${kind}/${links.page(kind, contactId, emailId).split("/").at(-1)}`
    return { subscribe: way("subscribe"), unsubscribe: way("unsubscribe") }
  }

  const pageOf = (kind: PageKind, request: Request, bearer: Bearer, visitor: Visitor, isSaved: boolean) => {
    if (kind === "manage") return managePage(visitor, isSaved ? "saved" : undefined)
    const ways = waysOf(request, bearer)
    return kind === "subscribe" ? subscribePage(visitor, ways) : unsubscribePage(visitor, ways)
  }

  async function show(kind: PageKind, request: Request, token: string): Promise<Response> {
    const bearer = links.readPage(kind, token)
    const visitor = bearer && (await hosted.look(bearer))
    if (bearer === undefined || visitor === undefined) return pageResponse(badLinkPage(languageOf(request)))
    return pageResponse(pageOf(kind, request, bearer, visitor, false))
  }

  async function change(kind: PageKind, request: Request, token: string): Promise<Response> {
    const bearer = links.readPage(kind, token)
    if (bearer === undefined) return pageResponse(badLinkPage(languageOf(request)))
    const { subscribed, reason } = wishIn(kind, await readFields(request))
    if (subscribed === undefined) {
      const visitor = await hosted.look(bearer)
      return pageResponse(visitor ? managePage(visitor, "chooseOne") : gonePage(languageOf(request)))
    }
    const visitor = await hosted.choose(bearer, subscribed, reason)
    return pageResponse(visitor ? pageOf(kind, request, bearer, visitor, true) : gonePage(languageOf(request)))
  }

  const untouched = { parse: "none" } as const
  return new Elysia({ detail: { hide: true } })
    .get("/unsubscribe/:token", ({ request, params }) => show("unsubscribe", request, params.token))
    .get("/subscribe/:token", ({ request, params }) => show("subscribe", request, params.token))
    .get("/manage/:token", ({ request, params }) => show("manage", request, params.token))
    .post("/unsubscribe/:token", ({ request, params }) => change("unsubscribe", request, params.token), untouched)
    .post("/subscribe/:token", ({ request, params }) => change("subscribe", request, params.token), untouched)
    .post("/manage/:token", ({ request, params }) => change("manage", request, params.token), untouched)
}

function wishIn(kind: PageKind, fields: URLSearchParams): Wish {
  if (kind === "unsubscribe")
    return { subscribed: false, reason: fields.get("List-Unsubscribe") === "One-Click" ? "one_click" : "link" }
  if (kind === "subscribe") return { subscribed: true, reason: "link" }
  const chosen = fields.get("subscribed")
  return { subscribed: chosen === "true" ? true : chosen === "false" ? false : undefined, reason: "link" }
}

/** The answer to somebody who followed a link that leads nowhere. */
export const badLinkResponse = (request: Request): Response => pageResponse(badLinkPage(languageOf(request)))
