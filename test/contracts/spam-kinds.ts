import { expect } from "bun:test"
import type { Outgoing } from "../../src/mail/transport.ts"
import { newBrowser, password, signUp } from "../harness/accounts.ts"
import type { TestApp } from "../harness/app.ts"
import { sendCampaign } from "../harness/campaigns.ts"

/** The kinds of mail whose spam score is measured, as an ordinary sender would write them. */

export const domain = "acme-shop.com"
const from = `hi@${domain}`
const url = `https://www.${domain}`

const png = (size: number) => Buffer.alloc(size, "iVBORw0KGgo").toString("base64")
const attachment = (filename: string, contentType: string, size: number, contentId?: string) => ({
  filename,
  contentType,
  content: png(size),
  ...(contentId && { contentId, disposition: "inline" }),
})
const prose =
  "<p>We have moved the workshop to the river. The doors are open from nine to five, and there is coffee for who comes early. The tram stops in front of the house.</p>"
const button = (text: string, path: string) =>
  `<table role="presentation"><tr><td style="background:#225;padding:12px 20px"><a href="${url}${path}" style="color:#fff">${text}</a></td></tr></table>`
const rows = [1, 2, 3].map((no) => `<tr><td>Lamp ${no}</td><td>1</td><td>49.00</td></tr>`).join("")

/** Bodies of `POST /v1/send`, by kind. */
const singles: Record<string, object> = {
  "one line": { subject: "Your table is booked", body: "<p>See you on Friday at seven.</p>" },
  "two words": { subject: "Hello", body: "Hi there" },
  receipt: {
    subject: "Your order 991",
    body: `<h1>Thank you, {{name}}</h1><table>${rows}</table><p>Total: 147.00</p>${prose}`,
  },
  "password reset": {
    subject: "Choose a new password",
    body: `<p>Hello {{name}},</p><p><a href="${url}/reset?token=5f2c91d0a7">Choose a new password</a></p><p>The link is good for an hour.</p>`,
  },
  "one-time code": {
    subject: "482913 is your code",
    body: "<p>Your code is <b>482913</b>. It is good for ten minutes.</p>",
  },
  shipping: {
    subject: "Your parcel is on its way",
    body: `<p>Follow it: <a href="${url}/track/AB12">${url}/track/AB12</a></p>`,
  },
  alert: { subject: "[prod] disk 91% full on db-2", body: "<pre>db-2 /var 91%\nsince 03:12 UTC</pre>" },
  invoice: {
    subject: "Invoice 2026-014",
    body: "<p>The invoice is attached.</p>",
    attachments: [attachment("invoice.pdf", "application/pdf", 20_000)],
  },
  "inline logo": {
    subject: "Welcome",
    body: `<img src="cid:logo" alt="Acme" width="80" height="40">${prose}`,
    attachments: [attachment("logo.png", "image/png", 900, "logo")],
  },
  "several files": {
    subject: "The papers for Monday",
    body: "<p>Three files for our meeting.</p>",
    attachments: [
      attachment("Übersicht.pdf", "application/pdf", 4_000),
      attachment("plan.csv", "text/csv", 400),
      attachment("foto.jpg", "image/jpeg", 9_000),
    ],
  },
  German: {
    subject: "Ihre Bestellung wurde verschickt",
    body: "<p>Grüße aus Köln. Schöne Tage wünschen wir Ihnen.</p>",
  },
  French: { subject: "Votre commande est arrivée", body: "<p>Bonjour, votre colis vous attend à l’accueil.</p>" },
  Japanese: { subject: "ご注文の確認", body: "<p>ご注文ありがとうございます。商品は明日発送いたします。</p>" },
  Chinese: { subject: "您的订单已发货", body: "<p>您好，您的订单已经发货，预计三天内送达。</p>" },
  Bulgarian: { subject: "Вашата поръчка", body: "<p>Здравейте, поръчката ви пътува към вас.</p>" },
  Hindi: { subject: "आपका ऑर्डर", body: "<p>नमस्ते, आपका ऑर्डर भेज दिया गया है।</p>" },
  "own text": { subject: "Minutes", body: prose, text: "We have moved the workshop to the river.\n\nSee you there." },
  "own headers": { subject: "Ticket 12", body: prose, reply: `help@${domain}`, headers: { "X-Ticket": "12" } },
  "50 KB": { subject: "The whole handbook", body: prose.repeat(280) },
  "a link alone": { subject: "The document", body: `<a href="${url}/d/7">Open the document</a>` },
  "whole document": {
    subject: "The week",
    body: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The week</title><style>p{margin:0 0 1em}</style></head><body>${prose}</body></html>`,
  },
  button: { subject: "Confirm your address", body: `${prose}${button("Confirm", "/confirm/1")}` },
  "emoji in the subject": { subject: "Party on Friday 🎉", body: prose },
  "thirty links": {
    subject: "What we read",
    body: `<ul>${Array.from({ length: 30 }, (_, no) => `<li><a href="${url}/read/${no}">Article ${no}</a> and why it is good</li>`).join("")}</ul>`,
  },
  "picture and text": { subject: "The new lamp", body: `<img src="${url}/lamp.jpg" alt="A lamp" width="600">${prose}` },
  "image only": { subject: "Spring", body: `<a href="${url}"><img src="${url}/spring.jpg" width="600"></a>` },
  comment: {
    subject: "Bo commented on “Roadmap”",
    body: `<p>Bo wrote:</p><blockquote>Can we move this to May?</blockquote>${button("Answer", "/c/8")}`,
  },
  "hidden preheader": {
    subject: "Your statement is ready",
    body: `<div style="display:none;max-height:0;overflow:hidden">All of January on one page</div>${prose}`,
  },
  "several recipients": {
    subject: "Rota for March",
    body: prose,
    to: [{ name: "Ada Lovelace", email: "ada@example.com" }],
  },
  prices: { subject: "Prices from April", body: "<p>Lamp: 49 €<br>Chair: 120 €<br>Table: 390 €</p>" },
  table: { subject: "Report of the week", body: `<table border="1">${rows.repeat(20)}</table>` },
}

const letter = { from, fromName: "Acme", subject: "News for {{name}}", body: prose }
const newsletter = `<h1>June</h1>${`<h2>A story</h2><img src="${url}/a.jpg" alt="The river" width="600">${prose}<p><a href="${url}/more">Read more</a></p>`.repeat(5)}`

const templates: Record<string, object> = {
  "marketing template": { ...letter, type: "MARKETING" },
  "marketing template with text": { ...letter, type: "MARKETING", text: "We have moved to the river.\nCome and see." },
  "headless template": {
    ...letter,
    type: "HEADLESS",
    body: `${prose}<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>`,
  },
}

const campaigns: Record<string, object> = {
  "short campaign": { ...letter, body: "<p>We have moved. Come and see us by the river.</p>", type: "MARKETING" },
  newsletter: { ...letter, subject: "June at Acme", body: newsletter, type: "MARKETING" },
  "headless campaign": {
    ...letter,
    type: "HEADLESS",
    body: `${newsletter}<p><a href="{{manageUrl}}">Preferences</a></p>`,
  },
  "campaign about terms": { ...letter, subject: "Our terms have changed", type: "TRANSACTIONAL" },
}

/** Sends one mail of every kind; resolves to what left, by kind. */
export async function composeAll(it: TestApp): Promise<Map<string, Outgoing>> {
  await it.app.domains.add(it.project.id, domain, { vouched: true })
  const mails = new Map<string, Outgoing>()
  let seen = 0
  async function left(kind: string): Promise<void> {
    await it.settle()
    const message = it.sent().at(-1)
    expect([kind, it.sent().length]).toEqual([kind, seen + 1])
    seen++
    if (message) mails.set(kind, message)
  }
  const send = (body: object) => it.api("POST /v1/send", { body: { to: "ada@example.com", ...body } })
  const data = { name: "Ada" }

  for (const [kind, body] of Object.entries(singles)) {
    expect([kind, (await send({ from: { name: "Acme", email: from }, data, ...body })).status]).toEqual([kind, 200])
    await left(kind)
  }
  for (const [kind, fields] of Object.entries(templates)) {
    const { body } = await it.api("POST /templates", { body: { name: kind, ...fields } })
    expect([kind, (await send({ template: body.id, data, subscribed: true })).status]).toEqual([kind, 200])
    await left(kind)
  }
  for (const [kind, fields] of Object.entries(campaigns)) {
    const { body } = await it.api("POST /campaigns", { body: { name: kind, audienceType: "ALL", ...fields } })
    await sendCampaign(it, body.data.id)
    await left(kind)
  }
  await signUp(it, "owner@example.com")
  const account = { email: "bo@example.com", password }
  await newBrowser(it).api("POST /auth/signup", { body: account, headers: { Origin: "https://mail.acme-shop.com" } })
  await left("confirmation of an account")
  await newBrowser(it).api("POST /auth/request-password-reset", { body: { email: account.email } })
  await left("password of an account")
  return mails
}
