import { Elysia } from "elysia"
import type { Protect } from "../../http/protect.ts"
import type { Links, PageKind } from "../../mail/links.ts"
import { acceptedLanguage } from "../../mail/render/index.ts"
import type { HostedActions, Recipient } from "./actions.ts"
import { readFields } from "./fields.ts"
import { pageResponse } from "./frame.ts"
import {
  badLinkPage,
  type FormLinks,
  gonePage,
  managePage,
  subscribePage,
  unsubscribePage,
  type Visitor,
} from "./pages.ts"

/** The choice in a form; `subscribed` is undefined when nothing was chosen. */
interface Choice {
  readonly subscribed: boolean | undefined
  readonly reason: "link" | "one_click"
}

/** The language for visitors whose own is not known. */
const languageOf = (request: Request) => acceptedLanguage(request.headers.get("accept-language"))

/** The pages that mail links to (contract A7.4). The token is the only credential; `GET` changes nothing. */
export function hostedRoutes(hosted: HostedActions, links: Links, { readBody }: Pick<Protect, "readBody">) {
  /** Relative, because a visitor may use another name of this server, and forms may only lead to the same origin. */
  const linksOf = (request: Request, { contactId, emailId }: Recipient): FormLinks => {
    const up = new URL(request.url).pathname.endsWith("/") ? "../.." : ".."
    const way = (kind: PageKind) => `${up}/${kind}/${links.page(kind, contactId, emailId).split("/").at(-1)}`
    return { subscribe: way("subscribe"), unsubscribe: way("unsubscribe") }
  }

  const pageOf = (kind: PageKind, request: Request, recipient: Recipient, visitor: Visitor, isSaved: boolean) => {
    if (kind === "manage") return managePage(visitor, isSaved ? "saved" : undefined)
    const formLinks = linksOf(request, recipient)
    return kind === "subscribe" ? subscribePage(visitor, formLinks) : unsubscribePage(visitor, formLinks)
  }

  async function show(kind: PageKind, request: Request, token: string): Promise<Response> {
    const recipient = links.readPage(kind, token)
    const visitor = recipient && (await hosted.find(recipient))
    if (recipient === undefined || visitor === undefined) return pageResponse(badLinkPage(languageOf(request)))
    return pageResponse(pageOf(kind, request, recipient, visitor, false))
  }

  async function change(kind: PageKind, request: Request, token: string): Promise<Response> {
    const recipient = links.readPage(kind, token)
    if (recipient === undefined) return pageResponse(badLinkPage(languageOf(request)))
    const { subscribed, reason } = choiceIn(kind, await readFields(request, readBody))
    if (subscribed === undefined) {
      const visitor = await hosted.find(recipient)
      return pageResponse(visitor ? managePage(visitor, "chooseOne") : gonePage(languageOf(request)))
    }
    const visitor = await hosted.setSubscribed(recipient, subscribed, reason)
    return pageResponse(visitor ? pageOf(kind, request, recipient, visitor, true) : gonePage(languageOf(request)))
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

function choiceIn(kind: PageKind, fields: URLSearchParams): Choice {
  if (kind === "unsubscribe")
    return { subscribed: false, reason: fields.get("List-Unsubscribe") === "One-Click" ? "one_click" : "link" }
  if (kind === "subscribe") return { subscribed: true, reason: "link" }
  const chosen = fields.get("subscribed")
  return { subscribed: chosen === "true" ? true : chosen === "false" ? false : undefined, reason: "link" }
}

/** The answer to an invalid link. */
export const badLinkResponse = (request: Request): Response => pageResponse(badLinkPage(languageOf(request)))
