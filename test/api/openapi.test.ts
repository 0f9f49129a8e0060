import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Validator } from "@seriousme/openapi-schema-validator"
import { cookieOf, sessionOfOwner, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createCampaign } from "../harness/campaigns.ts"
import { type Document, eachExample, type Operation, operationsOf, readDocument } from "../harness/openapi.ts"

const modes = ["serve", "sandbox"] as const
const apps: Partial<Record<(typeof modes)[number], { it: TestApp; document: Document }>> = {}

beforeAll(async () => {
  for (const mode of modes) {
    const it = await startTestApp({ mode })
    apps[mode] = { it, document: readDocument((await it.api("GET /openapi.json", { key: "none" })).body) }
  }
})
afterAll(() => Promise.all(modes.map((mode) => apps[mode]?.it.close())))

function opened(mode: (typeof modes)[number]) {
  const app = apps[mode]
  if (!app) throw new Error(`no app for ${mode}`)
  return app
}

describe.each(modes)("GET /openapi.json of %s", (mode) => {
  test("is a valid OpenAPI 3.1 document of this server", async () => {
    const { it, document } = opened(mode)
    expect(document.raw).toMatchObject({
      openapi: "3.1.0",
      info: { title: "Mailstead API", version: (await it.api("GET /health")).body.version },
      servers: [{ url: (await it.api("GET /config")).body.urls.api }],
    })
    expect(await new Validator().validate(structuredClone(document.raw))).toEqual({ valid: true })
  })

  test("is the same for everybody and every time", async () => {
    const { it, document } = opened(mode)
    const again = await it.api("GET /openapi.json")
    expect([again.status, again.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(again.body).toEqual(document.raw)
  })

  test("has plain schemas, without our own keywords", () => {
    const left: string[] = []
    JSON.stringify(opened(mode).document.raw, (key, value) => {
      if (["rule", "rules", "$id", "~standard"].includes(key)) left.push(key)
      // Elysia's numeric type accepts strings too, which JSON bodies must not.
      if (key === "format" && ["integer", "numeric", "boolean"].includes(value)) left.push(value)
      if (key === "allOf" || key === "patternProperties") left.push(`${key} ${JSON.stringify(value)}`)
      if (key === "anyOf" && value.every((one: object) => "const" in one)) left.push("a union of literals")
      return value
    })
    expect(left).toEqual([])
  })

  test("has no constants but texts: generated clients take true for the text, and refuse the answer with it", () => {
    const left: unknown[] = []
    JSON.stringify(opened(mode).document.raw, (key, value) => {
      if (key === "const" && typeof value !== "string") left.push(value)
      return /^examples?$/.test(key) ? undefined : value
    })
    expect(left).toEqual([])
  })

  test("has a type for every value but null alone, for which generators of clients have none", () => {
    const left: unknown[] = []
    const look = (schema: unknown, where: string[]): void => {
      if (typeof schema !== "object" || schema === null) return
      const inUnion = where.at(-2) === "anyOf" || where.at(-2) === "oneOf"
      if ("type" in schema && schema.type === "null" && !inUnion) left.push(where.join("."))
      for (const [key, value] of Object.entries(schema)) if (!/^examples?$/.test(key)) look(value, [...where, key])
    }
    look(opened(mode).document.raw, [])
    expect(left).toEqual([])
  })

  test("says of every object what it may have: generators of clients take one without properties for an empty one", () => {
    const left: string[] = []
    const look = (schema: unknown, where: string[]): void => {
      if (typeof schema !== "object" || schema === null) return
      const isObject = "type" in schema && [schema.type].flat().includes("object")
      if (isObject && !("properties" in schema) && !("additionalProperties" in schema)) left.push(where.join("."))
      for (const [key, value] of Object.entries(schema)) if (!/^examples?$/.test(key)) look(value, [...where, key])
    }
    look(opened(mode).document.raw, [])
    expect(left).toEqual([])
  })

  test("gives the type of every field of a body", () => {
    const { document } = opened(mode)
    const left: string[] = []
    const look = (schema: unknown, where: string): void => {
      if (typeof schema !== "object" || schema === null) return
      if ("$ref" in schema) look(document.raw.components.schemas[String(schema.$ref).split("/").at(-1) ?? ""], where)
      for (const [key, value] of Object.entries(schema)) if (!/^examples?$/.test(key)) look(value, `${where}.${key}`)
      const fields = "properties" in schema ? Object.entries<object>(schema.properties as Record<string, object>) : []
      for (const [name, field] of fields)
        if (!("type" in field || "anyOf" in field || "$ref" in field)) left.push(`${where}.${name}`)
    }
    for (const { route, detail } of operationsOf(document)) look(detail.requestBody, route)
    expect(left).toEqual([])
  })

  test("has names of which generators of clients make no two alike", () => {
    const { document } = opened(mode)
    const schemas = Object.entries<{ properties?: Record<string, object> }>(document.raw.components.schemas)
    const names = schemas.map(([name]) => name)
    const enums = schemas.flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, schema]) =>
        "enum" in schema ? [name + field.charAt(0).toUpperCase() + field.slice(1)] : [],
      ),
    )
    expect(new Set(enums).size).toBe(enums.length)
    // Go: the constructor of X is NewX.
    expect(names.filter((name) => names.includes(`New${name}`))).toEqual([])
    // PHP: every class of operations has these methods.
    const taken = ["getConfig", "getHostIndex", "setHostIndex"]
    expect(operationsOf(document).filter(({ detail }) => taken.includes(detail.operationId))).toEqual([])
  })

  test("refers only to definitions that exist, and has no unused ones", () => {
    const { raw } = opened(mode).document
    const refs = new Set<string>()
    JSON.stringify(raw, (key, value) => {
      if (key === "$ref") refs.add(value)
      return value
    })
    const defined = ["schemas", "parameters", "headers", "responses"].flatMap((kind) =>
      Object.keys(raw.components[kind]).map((name) => `#/components/${kind}/${name}`),
    )
    expect(defined.filter((ref) => !refs.has(ref))).toEqual([])
    expect([...refs].filter((ref) => !defined.includes(ref))).toEqual([])
  })

  test("names every operation and its responses", () => {
    const { document } = opened(mode)
    const operations = operationsOf(document)
    expect(operations.length).toBeGreaterThan(5)
    const tags = document.raw.tags.map((tag: { name: string }) => tag.name)
    for (const { route, detail } of operations) {
      expect([route, detail.operationId]).toEqual([route, expect.stringMatching(/^[a-z][A-Za-z0-9]+$/)])
      expect([route, detail.summary]).toEqual([route, expect.stringMatching(/^[A-Z].*[a-z]$/)])
      expect([route, detail.tags?.length, tags.includes(detail.tags?.[0])]).toEqual([route, 1, true])
      expect([route, Object.keys(detail.responses).some((status) => status.startsWith("2"))]).toEqual([route, true])
    }
    expect(new Set(operations.map(({ detail }) => detail.operationId)).size).toBe(operations.length)
  })

  test("introduces every exception from the shape of refusals, and from what the secret key opens (contract A1.5, A1.8)", () => {
    const { document } = opened(mode)
    const [, keys = "", errors = ""] =
      /## Keys(.*)## Answers.*## Errors(.*)## Lists/s.exec(document.raw.info.description) ?? []
    const operations = operationsOf(document)
    const bare = operations.filter(({ detail }) => JSON.stringify(detail.responses[400] ?? "").includes("BareError"))
    expect(bare.length).toBe(3)
    expect(bare.filter(({ route }) => !errors.includes(`\`${route}\``))).toEqual([])

    const opens = (security: object[]) => security.length === 0 || security.some((one) => "secretKey" in one)
    const closed = operations.filter(({ detail }) => !opens(detail.security))
    const isNamed = ({ route, path }: Operation) =>
      keys.includes(`\`${route}\``) || keys.includes(`\`/${path.split("/")[1]}\``)
    expect(closed.filter((one) => !isNamed(one)).map(({ route }) => route)).toEqual([])
  })

  test("omits hidden routes", () => {
    const paths = Object.keys(opened(mode).document.raw.paths)
    expect(paths).toContain("/v1/send")
    expect(paths.includes("/emails/{id}/raw")).toBe(mode === "sandbox")
    expect(paths.filter((path) => /^\/($|app|docs|openapi)/.test(path))).toEqual([])
  })

  test("has examples that its own schemas accept", () => {
    const { document } = opened(mode)
    let count = 0
    for (const { where, schema, example } of eachExample(document)) {
      count += 1
      expect([where, document.faultsOf(schema, example)]).toEqual([where, []])
    }
    expect(count).toBeGreaterThan(20)
  })
})

describe("the document and the server", () => {
  const unknown = "0199c0de-0000-7000-8000-00000000dead"
  const call = (mode: (typeof modes)[number], { method, path }: Operation, headers: Record<string, string>) =>
    opened(mode).it.api(`${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, unknown)}`, {
      key: "none",
      headers,
      ...(method === "get" || method === "delete" ? {} : { body: {} }),
    })
  const isLogout = ({ path }: Operation): boolean => path === "/auth/logout"
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

  test.each(modes)("agree on permissions and refusals in %s", async (mode) => {
    const { it, document } = opened(mode)
    const session = mode === "sandbox" ? await sessionOfOwner(it) : cookieOf(await signUp(it, "ada@acme.test"))
    const cookie = { Cookie: session, "Sec-Fetch-Site": "same-origin" }
    const callers = [
      { needs: [], headers: {} },
      { needs: ["publicKey"], headers: bearer(it.project.publicKey) },
      { needs: ["secretKey"], headers: bearer(it.project.secret) },
      { needs: ["session"], headers: cookie },
      { needs: ["project", "session"], headers: { ...cookie, "X-Project-Id": it.project.id } },
    ]
    // The session is needed until the end.
    const operations = operationsOf(document).sort((a, b) => Number(isLogout(a)) - Number(isLogout(b)))
    for (const operation of operations) {
      for (const { needs, headers } of callers) {
        const { security } = operation.detail
        const isLetIn =
          security.length === 0 ||
          security.some((one: object) => Object.keys(one).every((name) => needs.some((given) => given === name)))
        const answer = await call(mode, operation, headers)
        const isSessionWithoutProject = answer.status === 400 && needs[0] === "session"
        const about = [operation.route, ...needs]
        expect([...about, answer.status !== 401 && !isSessionWithoutProject]).toEqual([...about, isLetIn])
        expect([...about, document.faultsOfAnswer(operation, answer)]).toEqual([...about, []])
      }
    }
  })

  test("agree on what becomes of a body that no operation asks for (contract A1.2.2)", async () => {
    const { it, document } = opened("sandbox")
    const cookie = await sessionOfOwner(it)
    const operations = operationsOf(document).filter(
      ({ method, detail }) => method !== "get" && !detail.requestBody && detail.security.length > 0,
    )
    expect(operations.length).toBeGreaterThan(20)
    for (const operation of operations) {
      const { security } = operation.detail
      const isKeyed = security.some((one: object) => "secretKey" in one)
      const headers = isKeyed ? bearer(it.project.secret) : { Cookie: cookie, "Sec-Fetch-Site": "same-origin" }
      const path = isKeyed ? operation.path : operation.path.replace("{id}", it.project.id)
      const route = `${operation.method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, unknown)}`
      for (const [raw, status] of [
        ["{", 400],
        ["[]", 422],
      ] as const) {
        const answer = await it.api(route, { key: "none", headers, raw })
        expect([route, answer.status, document.faultsOfAnswer(operation, answer)]).toEqual([route, status, []])
      }
    }
  })

  test("agree on successful responses", async () => {
    const { it, document } = opened("sandbox")
    const expectGood = async (route: string, at = route, call: Parameters<TestApp["api"]>[1] = {}) => {
      const operation = document.operation(route)
      const answer = await it.api(at, call)
      expect([route, answer.status < 300, document.faultsOfAnswer(operation, answer)]).toEqual([route, true, []])
      return answer.body
    }
    const cookie = await sessionOfOwner(it)

    const { data } = await expectGood("POST /v1/send", undefined, { body: document.requestExample("POST /v1/send") })
    const { data: tracked } = await expectGood("POST /v1/track", undefined, {
      body: document.requestExample("POST /v1/track"),
    })
    const [{ email }] = data.emails
    const file = { filename: "a.txt", contentType: "text/plain", content: "YQ==" }
    await it.api("POST /v1/send", {
      body: { to: "fail@simulator.test", from: "a@b.test", subject: "s", body: "b", attachments: [file] },
    })
    await it.settle()
    const page = await expectGood("GET /emails", "GET /emails?limit=1")
    expect([page.hasMore, typeof page.cursor]).toEqual([true, "string"])
    await expectGood("GET /emails", `GET /emails?cursor=${page.cursor}`)
    await expectGood("GET /emails/{id}", `GET /emails/${email}`)
    await expectGood("GET /emails/{id}", `GET /emails/${page.data[0].id}`)
    expect(await expectGood("GET /emails/{id}/raw", `GET /emails/${email}/raw`)).toContain("Order 991")
    await expectGood("GET /contacts/{id}", `GET /contacts/${tracked.contact}`)
    for (const path of ["GET /health", "GET /config"]) await expectGood(path, path, { key: "none" })
    for (const path of ["GET /users/@me", "GET /users/@me/projects"])
      await expectGood(path, path, { key: "none", headers: { cookie } })
    await expectGood("DELETE /emails/{id}", `DELETE /emails/${email}`)
    await expectGood("DELETE /emails")
  })

  test("agree on the types of bodies that are not JSON", async () => {
    const { it, document } = opened("serve")
    const metrics = document.operation("GET /metrics")
    for (const accept of ["text/plain", "application/openmetrics-text"]) {
      const answer = await it.api("GET /metrics", { key: "none", headers: { accept } })
      expect([answer.headers.get("content-type")?.split(";")[0], document.faultsOfAnswer(metrics, answer)]).toEqual([
        accept,
        [],
      ])
    }
  })

  test("agree on the characters of names, files and media types (contract A4.2)", async () => {
    const { it, document } = opened("sandbox")
    const file = { filename: "a.txt", content: "YQ==", contentType: "text/plain", contentId: "a" }
    const mail = { to: "ada@acme.test", from: "hi@acme.test", subject: "s", body: "b" }
    const schema = document.requestSchema("POST /v1/send")
    for (const character of [...'\0\b\t\n\v\r\x1f !"#&;<=>@~\x7fé']) {
      for (const change of [
        { subject: `a${character}b` },
        { headers: { "X-Tag": `a${character}b` } },
        ...Object.keys(file)
          .filter((name) => name !== "content")
          .map((name) => ({ attachments: [{ ...file, [name]: `a/${character}b` }] })),
      ]) {
        const body = { ...mail, ...change }
        const { status } = await it.api("POST /v1/send", { body })
        expect([JSON.stringify(change), document.faultsOf(schema, body).length === 0]).toEqual([
          JSON.stringify(change),
          status === 200,
        ])
      }
    }
  })

  test("agree on the length of new passwords (contract B8.2)", async () => {
    const { it, document } = opened("serve")
    for (const [route, field, rest] of [
      ["POST /auth/signup", "password", { email: "bob@acme.test" }],
      ["POST /auth/reset-password", "newPassword", { token: "unknown" }],
    ] as const) {
      for (const length of [7, 8, 256, 257]) {
        const body = { ...rest, [field]: "k3".repeat(length).slice(0, length) }
        const { status } = await it.api(route, { key: "none", body, headers: { "Sec-Fetch-Site": "same-origin" } })
        const isGood = document.faultsOf(document.requestSchema(route), body).length === 0
        expect([route, length, isGood]).toEqual([route, length, status !== 422])
      }
    }
  })

  test("agree that a backup is no text", () => {
    const { document } = opened("serve")
    const { responses } = document.operation("GET /instance/backups/{id}/file").detail
    expect(responses[200].content).toEqual({
      "application/octet-stream": { schema: { type: "string", format: "binary" } },
    })
  })

  test("agree that a campaign without a time is sent at once, and that any request id is accepted", async () => {
    const { it, document } = opened("serve")
    const { detail } = document.operation("POST /campaigns/{id}/send")
    const { schema } = detail.requestBody.content["application/json"]
    const [example] = document.raw.components.schemas.CampaignSendRequest.examples
    // Whoever sends the example as it is would be told that it lies in the past.
    expect(Date.parse(example.scheduledFor)).toBeGreaterThan(Date.now())
    for (const scheduledFor of [null, "2026-02-03T08:00:00Z"]) {
      const { id } = await createCampaign(it)
      const { status } = await it.api(`POST /campaigns/${id}/send`, { body: { scheduledFor } })
      expect([status, document.faultsOf(schema, { scheduledFor })]).toEqual([200, []])
    }
    expect(document.faultsOf(schema, { scheduledFor: true })).not.toEqual([])

    const { RequestId } = document.raw.components.parameters
    for (const given of ["an id with blanks", "r".repeat(201)]) {
      const { status } = await it.api("GET /campaigns", { headers: { "X-Request-ID": given } })
      expect([status, document.faultsOf(RequestId.schema, given)]).toEqual([200, []])
    }
  })
})

describe("GET /docs", () => {
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    opened("serve").it.app.fetch(new Request(`http://localhost${path}`, { method, headers }))
  const scriptPath = async () => /<script src="([^"]+)"/.exec(await (await get("/docs")).text())?.[1] ?? ""

  test("is a page that may load nothing from other origins", async () => {
    const { status, headers } = await get("/docs")
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    const policy = headers.get("content-security-policy")?.split("; ") ?? []
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy.filter((part) => /https?:|\*|unsafe-eval/.test(part))).toEqual([])
  })

  test("names its script by its content, so that browsers may cache it", async () => {
    const path = await scriptPath()
    const plain = await get(path)
    const zipped = await get(path, { "Accept-Encoding": "gzip, br" })
    expect([plain.status, plain.headers.get("content-encoding")]).toEqual([200, null])
    expect((await get(path, { "Accept-Encoding": "gzip;q=0" })).headers.get("content-encoding")).toBeNull()
    expect([zipped.status, zipped.headers.get("content-encoding")]).toEqual([200, "gzip"])
    for (const { headers } of [plain, zipped]) {
      expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8")
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(headers.get("vary")).toBe("Accept-Encoding")
    }
    const script = await plain.bytes()
    expect(script.length).toBeGreaterThan(1_000_000)
    expect(Bun.hash(Bun.gunzipSync(await zipped.bytes()))).toBe(Bun.hash(script))
    expect((await get(`${path}x`)).status).toBe(404)
    expect((await get(path, {}, "HEAD")).status).toBe(200)
  })

  test("contains no key, except those of the sandbox", async () => {
    expect(await (await get("/docs")).text()).not.toMatch(/[sp]k_/)
    expect((await opened("sandbox").it.api("GET /docs")).body).toContain("sk_sandbox")
  })
})
