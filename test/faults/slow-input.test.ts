import { afterAll, beforeAll, expect, test } from "bun:test"
import { parseCondition } from "../../src/conditions/index.ts"
import { textFault } from "../../src/http/schema.ts"
import { parseAddress, parseDomain } from "../../src/kernel/email-address.ts"
import { compileTemplate } from "../../src/mail/render/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { operationsOf, readDocument } from "../harness/openapi.ts"
import { workedMs } from "../harness/processor-time.ts"

/**
 * Validators get one repeated character, with something before and after it. A quadratic one needs seconds for the
 * first size, and would need hours for the second; a linear one needs a third of the limit on a slow machine.
 */
const short = 32_000
const long = 1_000_000
const mostMs = 1_000

const characters = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ..."é\u00a0\u2028本",
  "💌",
  "\ud800",
]
/** Characters with a meaning to validators, and one of each other kind. */
const telling = characters.filter((one) => !/[b-zB-Z1-9]/.test(one) && (one >= " " || "\0\t\n\r".includes(one)))

/** The characters of a text of this kind that takes more than it may, once more in case the machine was busy. */
async function slow(work: (character: string) => unknown, among: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const one of among) {
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 3 && least > mostMs; attempt++) {
      const before = workedMs()
      await work(one)
      least = Math.min(least, workedMs() - before)
    }
    if (least > mostMs) found.push(JSON.stringify(one))
  }
  return found
}

const around: readonly [before: string, behind: string][] = [
  ["", ""],
  ["", "x"],
  ["", "\0"],
  ["a@", ".a"],
  ["a/b", "\n"],
  ["{{", "}}"],
  ["{{a ?? ", "}}"],
  ["2026-01-31T10:00", "Z"],
]
const texts = (character: string, length: number): string[] =>
  around.map(([before, behind]) => before + character.repeat(length / character.length) + behind)

function ignoreRefusal(work: () => unknown): void {
  try {
    work()
  } catch {}
}

const condition = (field: string, operator: string, value: string) => ({
  logic: "AND",
  groups: [{ filters: [{ field, operator, value }] }],
})
const forms = ["address", "id", "line", "filename", "mediaType", "contentId", "base64"] as const
const validators: [name: string, validate: (text: string) => unknown][] = [
  ...forms.map((form): [string, (text: string) => unknown] => [
    `text of the form ${form}`,
    (text) => textFault({ form }, text),
  ]),
  ["text of at most 255 characters", (text) => textFault({ min: 1, max: 255 }, text)],
  ["an address", parseAddress],
  ["a domain", parseDomain],
  ["a template", (text) => compileTemplate(text, "html")],
  ["the subject of a mail", (text) => compileTemplate(text, "subject").render({}, { locale: "en" })],
  ["the field of a condition", (text) => parseCondition(condition(`data.${text}`, "equals", "x"), "condition")],
  ["the operator of a condition", (text) => parseCondition(condition("data.a", text, "x"), "condition")],
  ["the value of a condition", (text) => parseCondition(condition("data.a", "contains", text), "condition")],
  ["the date of a condition", (text) => parseCondition(condition("createdAt", "equals", text), "condition")],
  ["the address of a condition", (text) => parseCondition(condition("email", "equals", text), "condition")],
]

test.each(validators)("%s validates a megabyte of any character in time", async (_, validate) => {
  const each = (length: number) => (character: string) => {
    for (const text of texts(character, length)) ignoreRefusal(() => validate(text))
  }
  expect(await slow(each(short), characters)).toEqual([])
  expect(await slow((one) => ignoreRefusal(() => validate(one.repeat(long / one.length))), characters)).toEqual([])
})

/** With another character at its end, so that no search for an end finds one. */
const repeated = (one: string, length: number): string => `${one.repeat(length / one.length)}${one === "x" ? "y" : "x"}`

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

/** The body with each of its texts replaced in turn, and each name of an object whose names are the sender's. */
function* withText(body: unknown, text: string): Generator<unknown> {
  if (typeof body === "string") yield text
  if (typeof body !== "object" || body === null) return
  for (const [key, value] of Object.entries(body)) {
    for (const inner of withText(value, text))
      yield Array.isArray(body) ? body.with(Number(key), inner) : { ...body, [key]: inner }
    if (key === "headers" || key === "data") yield { ...body, [key]: { [text]: "x" } }
  }
}

/** The body with all of its texts replaced at once. */
function allText(body: unknown, text: string): unknown {
  if (typeof body === "string") return text
  if (Array.isArray(body)) return body.map((value) => allText(value, text))
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, allText(value, text)]))
}

const file = { filename: "a.png", content: "AAAA", contentType: "image/png", contentId: "a", disposition: "inline" }
/** Fields that the examples of the document lack. */
const more: Record<string, object> = {
  "POST /v1/send": {
    to: [{ name: "Ada", email: "ada@example.com" }],
    from: { name: "Acme", email: "hi@acme.test" },
    reply: "a@acme.test",
    subject: "Hi",
    body: "<p>{{a}}</p>",
    data: { a: "x" },
    headers: { "X-Tag": "a" },
    attachments: [file],
  },
}

interface RequestSchema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly allOf?: readonly RequestSchema[]
}

/** A text in every field that may be one. */
const sampleOf = ({ properties = {}, allOf = [] }: RequestSchema): object => ({
  ...Object.fromEntries(Object.keys(properties).map((name) => [name, "x"])),
  ...Object.assign({}, ...allOf.map(sampleOf)),
})

/** The bodies of the API that are JSON, by their routes. */
async function bodies(): Promise<{ path: string; body: object }[]> {
  const { body: raw } = await it.api("GET /openapi.json", { key: "none" })
  const document = readDocument(raw)
  return operationsOf(document)
    .filter(({ detail }) => detail.requestBody?.content["application/json"])
    .map(({ route }) => ({
      path: route.replaceAll(/\{\w+\}/g, "0199c0de-0000-7000-8000-00000000000a"),
      body: more[route] ?? document.requestExample(route) ?? sampleOf(document.requestSchema(route)),
    }))
}

test("every body of the API is validated in time, with any content in one of its texts", async () => {
  const found: string[] = []
  for (const { path, body } of await bodies()) {
    const send = async (one: string) => {
      for (const sent of withText(body, repeated(one, short))) await it.api(path, { body: sent as object })
    }
    found.push(...(await slow(send, telling)).map((character) => `${path}: ${character}`))
  }
  expect(found).toEqual([])
})

test("every body of the API is validated in time when all of its texts are a megabyte of one character", async () => {
  const known = await bodies()
  expect(known.length).toBeGreaterThan(20)
  const found: string[] = []
  for (const { path, body } of known) {
    const send = (one: string) => it.api(path, { body: allText(body, repeated(one, long)) as object })
    found.push(...(await slow(send, ["a", "0", " ", "=", "@", "\n", "{"])).map((character) => `${path}: ${character}`))
  }
  expect(found).toEqual([])
})
