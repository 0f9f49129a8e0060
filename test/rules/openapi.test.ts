import { describe, expect, test } from "bun:test"
import { Type as t } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import {
  about,
  answers,
  bareRefusal,
  byAnyone,
  fileBody,
  named,
  query,
  refuses,
} from "../../src/http/openapi/describe.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { pageAnswer, pageQuery } from "../../src/http/page.ts"
import { optional, shape, text, withRules } from "../../src/http/schema.ts"
import { eachExample, readDocument } from "../harness/openapi.ts"

describe("a route documents itself", () => {
  const documentOf = (app: AnyElysia) => readDocument(openApiDocument(app, "http://localhost")).raw
  const thing = named("Thing", t.Object({ id: t.String(), size: t.Integer() }), { id: "a", size: 1 })

  test("with the schema of its body, as JSON Schema", () => {
    const body = withRules(
      named(
        "NewThing",
        shape({
          name: text({ min: 1, max: 9, form: "line" }),
          owner: about("Whose it is.", optional(text({ form: "address" }))),
          kind: optional(t.Union([t.Literal("a"), t.Literal("b")])),
          size: optional(t.Union([t.Integer({ minimum: 1 }), t.String()])),
          tags: optional(t.Record(t.String(), text({ max: 3 }))),
        }),
      ),
      () => [],
    )
    const { paths, components } = documentOf(new Elysia().put("/things/:id", () => "", { body }))
    expect(paths["/things/{id}"].put.requestBody).toEqual({
      required: true,
      content: { "application/json": { schema: { $ref: "#/components/schemas/NewThing" } } },
    })
    expect(components.schemas.NewThing).toEqual({
      type: "object",
      title: "NewThing",
      required: ["name"],
      properties: {
        name: { type: "string", minLength: 1, maxLength: 9, pattern: "^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$" },
        owner: { type: ["string", "null"], format: "email", description: "Whose it is." },
        kind: { type: ["string", "null"], enum: ["a", "b", null] },
        size: { anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }, { type: "null" }] },
        tags: { type: ["object", "null"], additionalProperties: { type: "string", maxLength: 3 } },
      },
    })
  })

  test("with a recursive schema, and with the description of a shared one", () => {
    const tree = t.Recursive((self) => t.Object({ parts: t.Array(self) }), { $id: "tree", title: "Tree" })
    const body = shape({ one: about("The first.", tree), other: optional(about("The second.", tree)) })
    const { paths, components } = documentOf(new Elysia().post("/trees", () => "", { body }))
    const reference = { $ref: "#/components/schemas/Tree" }
    expect(paths["/trees"].post.requestBody.content["application/json"].schema.properties).toEqual({
      one: { ...reference, description: "The first." },
      other: { description: "The second.", anyOf: [reference, { type: "null" }] },
    })
    expect(components.schemas.Tree.properties).toEqual({ parts: { type: "array", items: reference } })
  })

  test("with its answers, its own refusals and its parameters, also where the path has some", () => {
    const detail = {
      parameters: query({ deep: about("With its parts.", t.Boolean()) }),
      responses: { ...answers(200, thing, { id: "a", size: 1 }), ...refuses(409) },
    }
    const { paths } = documentOf(new Elysia().get("/things/:id/", () => "", { detail }))
    const { parameters, responses } = paths["/things/{id}"].get
    expect(parameters.map((one: { name?: string; $ref?: string }) => one.name ?? one.$ref)).toEqual([
      "id",
      "deep",
      "#/components/parameters/RequestId",
    ])
    expect(Object.keys(responses)).toEqual(["200", "400", "401", "403", "404", "409", "429", "500"])
    expect(responses[200].content["application/json"]).toEqual({
      schema: { $ref: "#/components/schemas/Thing" },
      example: { id: "a", size: 1 },
    })
  })

  test("as a page list, as an upload, and with a bare error", () => {
    const list = { parameters: pageQuery, responses: pageAnswer(thing, { id: "a", size: 1 }) }
    const upload = {
      requestBody: fileBody("file", "CSV, at most 5 MB."),
      responses: { ...answers(204), ...bareRefusal("a file is required") },
    }
    const app = new Elysia().get("/things", () => "", { detail: list }).post("/things", () => "", { detail: upload })
    const document = readDocument(documentOf(app))
    const { get, post } = document.raw.paths["/things"]
    expect(get.parameters.map(({ name }: { name?: string }) => name)).toEqual(["page", "pageSize", undefined])
    expect(post.requestBody.content["multipart/form-data"].schema.properties.file).toEqual({
      type: "string",
      format: "binary",
      description: "CSV, at most 5 MB.",
    })
    expect(post.responses[204]).not.toHaveProperty("content")
    expect(post.responses[400].content["application/json"].schema).toEqual({
      anyOf: [{ $ref: "#/components/schemas/BareError" }, { $ref: "#/components/schemas/Error" }],
    })
    for (const { where, schema, example } of eachExample(document))
      expect([where, document.faultsOf(schema, example)]).toEqual([where, []])
  })

  test("with nothing at all, as one for members with a name made of its path", () => {
    const { paths } = documentOf(new Elysia().get("/users/@me/:thing", () => ""))
    expect(paths["/users/@me/{thing}"].get).toMatchObject({
      operationId: "getUsersMeThing",
      security: [{ secretKey: [] }, { session: [], project: [] }],
    })
  })

  test("as open to anyone, without refusals that need a caller", () => {
    const { paths } = documentOf(new Elysia().get("/", () => "", { detail: { security: byAnyone } }))
    expect([paths["/"].get.security, Object.keys(paths["/"].get.responses)]).toEqual([[], ["500"]])
  })

  test("but not under the name of another schema", () => {
    const other = named("Thing", t.Object({ id: t.Integer() }))
    const app = new Elysia()
      .get("/a", () => "", { detail: { responses: answers(200, thing, { id: "a", size: 1 }) } })
      .get("/b", () => "", { detail: { responses: answers(200, other, { id: 1 }) } })
    expect(() => documentOf(app)).toThrow("Two different schemas are called Thing.")
  })
})
