import { domainToUnicode } from "node:url"
import { domainOf } from "../../kernel/email-address.ts"
import { textsIn, withNames } from "../../mail/locales/index.ts"
import type { Language } from "../../mail/render/index.ts"
import type { Page } from "./frame.ts"

/** The data of the visitor that a page shows. */
export interface Visitor {
  readonly language: Language
  /** The name of the project. */
  readonly sender: string
  readonly address: string
  readonly subscribed: boolean
}

/** The targets of the forms of a page, when not itself. */
export interface FormLinks {
  readonly subscribe: string
  readonly unsubscribe: string
}

/** `GET` and `POST /unsubscribe/{token}`. */
export const unsubscribePage = (visitor: Visitor, formLinks: FormLinks): Page =>
  visitor.subscribed ? askUnsubscribe(visitor) : unsubscribed(visitor, formLinks)

/** `GET` and `POST /subscribe/{token}`. */
export const subscribePage = (visitor: Visitor, formLinks: FormLinks): Page =>
  visitor.subscribed ? subscribed(visitor, formLinks) : askSubscribe(visitor)

function askUnsubscribe(visitor: Visitor): Page {
  const texts = textsIn[visitor.language]
  return page(visitor, texts.askUnsubscribe, [paragraph(texts.stop, visitor), form(texts.unsubscribe)])
}

function askSubscribe(visitor: Visitor): Page {
  const texts = textsIn[visitor.language]
  return page(visitor, texts.askSubscribe, [paragraph(texts.willSend, visitor), form(texts.subscribe)])
}

function unsubscribed(visitor: Visitor, { subscribe }: FormLinks): Page {
  const texts = textsIn[visitor.language]
  return page(visitor, texts.unsubscribed, [
    paragraph(texts.noMore, visitor),
    paragraph(texts.stillComes, visitor, "small"),
    form(texts.subscribeAgain, { action: subscribe, quiet: true }),
  ])
}

function subscribed(visitor: Visitor, { unsubscribe }: FormLinks): Page {
  const texts = textsIn[visitor.language]
  return page(visitor, texts.subscribed, [
    paragraph(texts.willSend, visitor),
    form(texts.unsubscribe, { action: unsubscribe, quiet: true }),
  ])
}

/** `GET` and `POST /manage/{token}`; `notice` is the result of the form. */
export function managePage(visitor: Visitor, notice?: "saved" | "chooseOne"): Page {
  const texts = textsIn[visitor.language]
  const isBad = notice === "chooseOne"
  const answer = (value: boolean, text: string) =>
    `<label><input type="radio" name="subscribed" value="${value}" required${
      visitor.subscribed === value ? " checked" : ""
    }>${Bun.escapeHTML(text)}</label>`
  const lines = [
    notice === undefined
      ? ""
      : `<p class="told${isBad ? " bad" : ""}" role="${isBad ? "alert" : "status"}">${Bun.escapeHTML(texts[notice])}</p>`,
    `<form method="post"><fieldset><legend>${filled(texts.choice, visitor)}</legend>`,
    answer(true, texts.yes),
    answer(false, texts.no),
    `</fieldset><button>${Bun.escapeHTML(texts.save)}</button></form>`,
    paragraph(texts.stillComes, visitor, "small"),
  ]
  return { ...page(visitor, texts.preferences, lines), status: isBad ? 400 : 200 }
}

/** For an invalid token, or one whose contact no longer exists, so that only the browser's language is known. */
export const badLinkPage = (language: Language): Page => {
  const { badLink, badLinkHelp } = textsIn[language]
  return { status: 404, language, sender: null, title: badLink, content: bare(badLinkHelp) }
}

/** The response to a form when the contact no longer exists, so that there is nothing to change (contract A7.4.1). */
export const gonePage = (language: Language): Page => {
  const { unsubscribed, gone } = textsIn[language]
  return { status: 200, language, sender: null, title: unsubscribed, content: bare(gone) }
}

const page = ({ language, sender }: Visitor, title: string, lines: readonly string[]): Page => ({
  status: 200,
  language,
  sender,
  title,
  content: lines.filter((line) => line !== "").join("\n"),
})

const bare = (text: string): string => `<p class="text">${Bun.escapeHTML(text)}</p>`

const paragraph = (text: string, visitor: Visitor, kind: "text" | "small" = "text"): string =>
  `<p class="${kind}">${filled(text, visitor)}</p>`

const form = (button: string, { action, quiet = false }: { action?: string; quiet?: boolean } = {}): string =>
  `<form method="post"${action === undefined ? "" : ` action="${Bun.escapeHTML(action)}"`}>` +
  `<button${quiet ? ' class="quiet"' : ""}>${Bun.escapeHTML(button)}</button></form>`

/** A text with names inserted, each isolated from the direction of the surrounding text. */
const filled = (text: string, { sender, address }: Visitor): string =>
  withNames(
    Bun.escapeHTML(text),
    { sender: sender.trim(), address: masked(address) },
    (name) => `<bdi>${Bun.escapeHTML(name)}</bdi>`,
  )

/**
 * A masked address that its owner can recognize, because the link may have been forwarded (contract A7.4.2). An
 * international domain is shown in its own script.
 */
function masked(address: string): string {
  const domain = domainOf(address)
  return `${Array.from(address)[0] ?? ""}•••@${domainToUnicode(domain) || domain}`
}
