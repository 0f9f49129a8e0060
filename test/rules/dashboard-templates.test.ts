import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { ApiError } from "../../src/dashboard/api/http.ts"
import { refusalOf, syntaxFaultOf } from "../../src/dashboard/api/refusal.ts"
import { contentForm } from "../../src/dashboard/parts/content/content-fields.ts"
import { testFaultOf } from "../../src/dashboard/parts/content/test-fault.ts"
import { fieldsOfNobody, hasFallback, pathOf, variableOf } from "../../src/dashboard/parts/content/variable-paths.ts"
import { starters } from "../../src/dashboard/parts/new-mail/starters.ts"
import { createRenderer } from "../../src/mail/render/index.ts"

test.each<[key: string, path: string | null]>([
  ["plan", "plan"],
  ["größe", "größe"],
  ["first name", "[first name]"],
  ["a.b", "[a.b]"],
  ["email", "data.email"],
  ["upper", "data.upper"],
  ["if", "data.if"],
  ["data", "data.data"],
  ["this", "[this]"],
  ["else", "[else]"],
  ["a??b", "[a??b]"],
  ["a]b", null],
  ["a\\", null],
  ["a\u2028", null],
])("the key %j is written %j in a template", (key, path) => {
  expect(pathOf(key)).toBe(path)
})

const words =
  "if unless each with else this true null undefined as data email locale upper eq 5 -1 ?? }} {{ [0] ../a @root"
const keys = fc.oneof(fc.constantFrom(...words.split(" ")), fc.string({ minLength: 1, unit: "binary", maxLength: 20 }))

test("the path of any key gives its value in a template", () => {
  const renderer = createRenderer()
  fc.assert(
    fc.property(keys, (key) => {
      const path = pathOf(key)
      if (path === null) return
      const data = Object.fromEntries([[key, "the value"]])
      const variables = { ...data, data, email: "other", locale: "en" }
      expect(renderer.template(`{{${path}}}`, "html").render(variables, { locale: "en" })).toBe("the value")
    }),
    { numRuns: 500 },
  )
})

test.each([
  ["email", "email"],
  ["subscribed", "subscribed"],
  ["createdAt", null],
  ["updatedAt", null],
])("the core field %j is %j to a template", (field, path) => {
  expect(variableOf({ field, isCustom: false })).toBe(path)
})

test.each([
  ["{{name ?? there}}", "name", true],
  ["{{ name??there }}", "name", true],
  ["{{{profile.tier ?? none}}}", "profile.tier", true],
  ["{{[first name] ?? there}}", "[first name]", true],
  ["{{name}} {{other ?? there}}", "name", false],
  ["{{name ?? there}} {{name}}", "name", false],
  ["{{name ?? there}} {{upper name}}", "name", false],
  ["{{name ?? there}} {{truncate (upper name) 3}}", "name", false],
  ["{{name ?? there}} {{~name~}}", "name", false],
  ["{{name ?? there}} {{{name}}}", "name", false],
  ["{{name ?? there}} {{&name}}", "name", false],
  ["{{~ name ?? there ~}} {{{name ?? you}}}", "name", true],
  ["{{#if name}}{{name ?? there}}{{else if name}}{{~else}}{{/if}}", "name", true],
  ["{{~#if name}}{{name ?? there}}{{/if}}", "name", true],
  ["{{name ?? there}} {{!-- {{name}} --}} {{! name }}", "name", true],
  ["{{name ?? there}} {{formatDate birthday 'name'}}", "name", true],
  ["{{name ?? there}} {{other ?? name}}", "name", true],
  ["{{name ?? there}} {{name.first}}", "name", true],
  ["{{#if name}}there{{/if}}", "name", false],
  ["{{[a??b] ?? there}}", "[a??b]", true],
  ["{{[a??b]}}", "[a??b]", false],
  ["{{fullname ?? there}}", "name", false],
  ["{{profileXtier ?? none}}", "profile.tier", false],
])("whether %j gives %j a fallback: %p", (source, path, has) => {
  expect(hasFallback(source, path)).toBe(has)
})

test("the fields that no contact has are named once, and what is always there is not one", () => {
  const held = ["email", "data.name", "data.first name", "data.profile", "data.email"]
  const fields = held.map((field) => ({ field }))
  const known = ["name", "data.name", "[first name]", "data.[first name]", "profile.tier.level", "data.email"]
  const builtIn = ["email", "locale", "manageUrl", "data", "event.order.total"]
  const unknown = ["frist_name", "data.frist_name", "[last name].x", "data.id"]
  expect(fieldsOfNobody([...known, ...builtIn, ...unknown], fields)).toEqual(["frist_name", "last name", "id"])
})

describe("a refusal", () => {
  const refused = (status: number, faults: { field: string; message: string; code: string }[], details = {}) =>
    new ApiError(status, "No.", faults, details)

  test("is shown at the fields that it concerns", () => {
    const faults = [
      { field: "from", message: "from is no address", code: "invalid_string" },
      { field: "subject", message: "subject is too long", code: "too_big" },
      { field: "", message: "something else", code: "custom" },
    ]
    expect(refusalOf(refused(422, faults), contentForm).faults).toEqual({
      from: "This is not an email address.",
      subject: "subject is too long",
      other: "something else",
    })
  })

  test("of the sender's domain is shown at the sender, others at no field", () => {
    const forbidden = (code: string) => new ApiError(403, "No.", [], {}, code)
    expect(refusalOf(forbidden("INTERNAL_SERVER_ERROR"), contentForm).faults).toEqual({ from: "No." })
    expect(refusalOf(forbidden("PROJECT_DISABLED"), contentForm).faults).toEqual({ other: "No." })
    const broken = new ApiError(500, "No.", [], {}, "INTERNAL_SERVER_ERROR")
    expect(refusalOf(broken, contentForm).faults).toEqual({ other: "No." })
    expect(refusalOf(new Error("offline"), contentForm).faults).toEqual({ other: "offline" })
  })

  test("of a test is shown at the address, or for the content with the editor's field names", () => {
    const about = (field: string, code = "invalid_string") =>
      refused(422, [{ field, message: `${field} is wrong.`, code }])
    expect(testFaultOf(about("email"))).toEqual({ at: "to", text: "This is not an email address." })
    expect(testFaultOf(about("from"))).toEqual({ at: "content", text: "From: This is not an email address." })
    expect(testFaultOf(about("replyTo"))).toEqual({ at: "content", text: "Reply to: This is not an email address." })
    expect(testFaultOf(about("body", "custom"))).toEqual({ at: "content", text: "Body: body is wrong." })
    expect(testFaultOf(new Error("offline"))).toEqual({ at: "content", text: "offline" })
  })

  test("of the syntax has a position, shown once", () => {
    const faults = [{ field: "body", message: "Line 3, column 9: Unknown helper.", code: "custom" }]
    const place = { field: "body", line: 3, column: 9 } as const
    expect(syntaxFaultOf(refused(422, faults, place))).toEqual({ ...place, message: "Unknown helper." })
    expect(syntaxFaultOf(refused(422, faults))).toBeNull()
    expect(syntaxFaultOf(new Error("offline"))).toBeNull()
  })
})

test("every starter is a valid template, and has a greeting for contacts without a name", () => {
  const renderer = createRenderer()
  for (const { subject, body } of starters) {
    expect(renderer.check({ subject, body })).toBeUndefined()
    const html = renderer.template(body, "html").render({ locale: "en" }, { locale: "en" })
    expect(html).toContain("Hello there,")
    expect(html).not.toContain("{{")
  }
})
