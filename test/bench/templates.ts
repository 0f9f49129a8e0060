import Handlebars from "handlebars"
import { createRenderer } from "../../src/mail/render/index.ts"
import { type Figure, ratioOf } from "./tools/table.ts"

const subject = "Order {{order.no}}, {{NAME}}"
const lines = `{{#each order.items}}<tr><td>{{title}}</td><td>{{count}}</td><td>{{upper currency}} {{price}}</td></tr>{{/each}}`
const paragraph =
  "<p style='margin:0 0 16px'>Thank you for your order, {{NAME}}. We will write again when it leaves.</p>"

/** An ordinary mail of a shop, 3 KB; `NAME` stands for a name with a fallback. */
const body = `<html><body><h1>Hello {{NAME}}</h1>${paragraph.repeat(20)}
{{#if vip}}<p>As a friend of the house you pay no postage.</p>{{else}}<p>Postage: {{postage}}</p>{{/if}}
<table>${lines}</table><p>{{order.address.street}}<br>{{order.address.city}}</p>
<p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p></body></html>`

const ours = {
  subject: subject.replaceAll("NAME", "name ?? there"),
  body: body.replaceAll("{{NAME}}", "{{name ?? there}}"),
}
const bareName = "{{#if name}}{{name}}{{else}}there{{/if}}"
const theirs = { subject: subject.replaceAll("{{NAME}}", bareName), body: body.replaceAll("{{NAME}}", bareName) }

const people = Array.from({ length: 100 }, (_, at) => ({
  name: at % 3 === 0 ? undefined : `Ada "${at}" <Lovelace>`,
  vip: at % 2 === 0,
  postage: 4.9,
  unsubscribeUrl: `https://mail.acme.test/unsubscribe/${"x".repeat(64)}`,
  order: {
    no: 1_000 + at,
    address: { street: "Karl Johans gate 1", city: "Oslo" },
    items: Array.from({ length: 5 }, (_, item) => ({
      title: `Thing & ${item}`,
      count: item,
      currency: "nok",
      price: 99.5,
    })),
  },
}))

const roundMs = 250
const rounds = 7

/** Subject and body of a mail, rendered in this process from compiled templates, against Handlebars alone. */
export async function templates(): Promise<Figure[]> {
  const renderer = createRenderer()
  const rendered = (person: (typeof people)[number]): string => {
    const line = renderer.template(ours.subject, "subject").render(person, { locale: "en" })
    return line + renderer.template(ours.body, "html").render(person, { locale: "en" })
  }
  const library = Handlebars.create()
  library.registerHelper("upper", (text: string) => text.toUpperCase())
  const [bareSubject, bareBody] = [library.compile(theirs.subject, { noEscape: true }), library.compile(theirs.body)]
  const bare = (person: (typeof people)[number]): string => bareSubject(person) + bareBody(person)

  for (const person of people)
    if (rendered(person) !== bare(person).replaceAll("&#x27;", "&#39;"))
      throw new Error("The two do not render the same: they cannot be compared.")
  // Alternating, so that a busy machine slows both.
  const speeds = Array.from({ length: rounds }, () => ({ ours: perSecond(rendered), bare: perSecond(bare) }))
  return [
    ratioOf(
      "template renders, subject and 3 KB of body",
      median(speeds.map((speed) => speed.ours)),
      median(speeds.map((speed) => speed.bare)),
      0.5,
      "in process",
    ),
  ]
}

function perSecond(render: (person: (typeof people)[number]) => string): number {
  const started = performance.now()
  let count = 0
  let bytes = 0
  while (performance.now() - started < roundMs) {
    // A concatenated string is not flattened yet, so its bytes are read, as a message needs them.
    for (const person of people) bytes += Buffer.byteLength(render(person))
    count += people.length
  }
  if (bytes === 0) throw new Error("Nothing was rendered.")
  return count / ((performance.now() - started) / 1_000)
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
