import { createPublicKey, randomBytes, verify } from "node:crypto"
import { day } from "../../src/kernel/clock.ts"
import { createTestCa } from "./acme-ca.ts"
import { testCertificate } from "./certificate.ts"

/** A certificate authority (RFC 8555) on 127.0.0.1, which checks what it is sent and misbehaves as it is told. */
export interface AcmeServer {
  readonly directory: string
  /** The resources that were asked for with a valid signature, in order. */
  readonly asked: string[]
  /** The orders as they were placed. */
  readonly orders: Record<string, unknown>[]
  /** The port at which challenges are fetched, at 127.0.0.1. */
  plainPort: number
  /** How long certificates are valid, from a time in ms. */
  validity: () => { readonly beginsAt: number; readonly expiresAt: number }
  /** What the next request for a resource gets instead of its answer, once each. */
  next(resource: Resource, ...answers: Misbehaviour[]): void
  /** Resolves when a resource is asked for the next time. */
  received(resource: Resource): Promise<void>
  /** What `Retry-After` is. */
  pause: string
  /** The window in which certificates are to be renewed, in ms; undefined: this authority does not say. */
  window: readonly [start: number, end: number] | undefined
  stop(): Promise<void>
}

export type Resource = "newNonce" | "newAccount" | "newOrder" | "authz" | "challenge" | "order" | "finalize" | "cert"

/** A problem, `pending` for one more look at an order or an authorization, or a promise that the answer waits for. */
type Misbehaviour =
  | { readonly type: string; readonly status: number; readonly detail?: string; readonly retryAfter?: string }
  | "pending"
  | Promise<unknown>

interface Order {
  readonly names: string[]
  readonly authorizations: string[]
  status: string
  cert?: string
}

interface Authorization {
  readonly name: string
  readonly token: string
  status: string
  error?: object
}

const keyParts = ["crv", "kty", "x", "y"] as const

export function startAcmeServer(): AcmeServer {
  const ca = createTestCa()
  const nonces = new Set<string>()
  const accounts = new Map<string, Record<string, string>>()
  const orders = new Map<string, Order>()
  const authorizations = new Map<string, Authorization>()
  const misbehaviours = new Map<Resource, Misbehaviour[]>()
  const replaced = new Set<unknown>()
  const watchers: { resource: string; resolve: () => void }[] = []

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, tls: testCertificate, development: false, fetch: answer })
  const base = `https://127.0.0.1:${server.port}`
  const self: AcmeServer = {
    directory: `${base}/directory`,
    asked: [],
    orders: [],
    plainPort: 0,
    validity: () => ({ beginsAt: Date.now() - 3_600_000, expiresAt: Date.now() + 90 * day }),
    next: (resource, ...answers) =>
      void misbehaviours.set(resource, [...(misbehaviours.get(resource) ?? []), ...answers]),
    received: (resource) => new Promise((resolve) => watchers.push({ resource, resolve })),
    pause: "1",
    window: undefined,
    stop: () => server.stop(true),
  }

  function reply(status: number, body: unknown, headers: Record<string, string> = {}): Response {
    const nonce = randomBytes(12).toString("base64url")
    nonces.add(nonce)
    const text = typeof body === "string" ? body : JSON.stringify(body)
    return new Response(text, { status, headers: { "Replay-Nonce": nonce, "Retry-After": self.pause, ...headers } })
  }

  const problem = (status: number, type: string, detail = `A problem of the type ${type}.`, retryAfter?: string) =>
    reply(
      status,
      { type: `urn:ietf:params:acme:error:${type}`, detail },
      retryAfter === undefined ? {} : { "Retry-After": retryAfter },
    )

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const [, resource = "", id = ""] = pathname.split("/")
    if (!request.headers.get("user-agent")) return problem(400, "malformed", "A User-Agent is needed.")
    if (resource === "directory") return reply(200, directoryDocument())
    if (resource === "newNonce") return reply(200, "")
    if (resource === "renewal")
      return self.window === undefined
        ? problem(404, "malformed")
        : reply(200, {
            suggestedWindow: { start: new Date(self.window[0]), end: new Date(self.window[1]) },
          })
    const signed = (await request.json()) as { protected: string; payload: string; signature: string }
    const header = JSON.parse(decoded(signed.protected)) as Record<string, string> & { jwk?: Record<string, string> }
    if (!nonces.delete(header.nonce ?? "")) return problem(400, "badNonce")
    if (header.url !== request.url) return problem(401, "unauthorized", "Signed for another address.")
    const jwk = header.jwk ?? accounts.get(header.kid ?? "")
    if (jwk === undefined) return problem(400, "accountDoesNotExist")
    const key = createPublicKey({ key: jwk, format: "jwk" })
    const text = Buffer.from(`${signed.protected}.${signed.payload}`)
    if (!verify("sha256", text, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signed.signature, "base64url")))
      return problem(401, "malformed", "The signature is wrong.")
    self.asked.push(resource)
    for (const watcher of watchers) if (watcher.resource === resource) watcher.resolve()
    const misbehaviour = misbehaviours.get(resource as Resource)?.shift()
    if (misbehaviour instanceof Promise) await misbehaviour
    else if (typeof misbehaviour === "object")
      return problem(misbehaviour.status, misbehaviour.type, misbehaviour.detail, misbehaviour.retryAfter)
    const payload = signed.payload === "" ? undefined : JSON.parse(decoded(signed.payload))
    const kept = await act(resource as Resource, id, payload, jwk)
    return misbehaviour === "pending" ? reply(200, { ...(await kept.json()), status: "processing" }) : kept
  }

  const directoryDocument = () => ({
    newNonce: `${base}/newNonce`,
    newAccount: `${base}/newAccount`,
    newOrder: `${base}/newOrder`,
    ...(self.window && { renewalInfo: `${base}/renewal` }),
  })

  // biome-ignore lint/suspicious/noExplicitAny: what a client sends is looked at where it is used
  async function act(resource: Resource, id: string, payload: any, jwk: Record<string, string>): Promise<Response> {
    const [order, authorization] = [orders.get(id), authorizations.get(id)]
    switch (resource) {
      case "newAccount": {
        const kid = `${base}/account/${jwk.x}`
        const isNew = !accounts.has(kid)
        accounts.set(kid, jwk)
        return reply(isNew ? 201 : 200, { status: "valid" }, { Location: kid })
      }
      case "newOrder": {
        self.orders.push(payload)
        if (payload.replaces !== undefined && replaced.has(payload.replaces)) return problem(409, "alreadyReplaced")
        replaced.add(payload.replaces)
        const names = payload.identifiers.map(({ value }: { value: string }) => value)
        const placed: Order = { names, authorizations: names.map(authorize), status: "pending" }
        const number = String(orders.size + 1)
        orders.set(number, placed)
        return reply(201, orderDocument(number, placed), { Location: `${base}/order/${number}` })
      }
      case "authz":
        return authorization ? reply(200, authorizationDocument(id, authorization)) : problem(404, "malformed")
      case "challenge":
        if (authorization === undefined) return problem(404, "malformed")
        await validate(authorization, jwk)
        return reply(200, challengeDocument(id, authorization))
      case "order":
        return order ? reply(200, orderDocument(id, order)) : problem(404, "malformed")
      case "finalize": {
        const csr = Buffer.from(payload.csr, "base64url")
        if (order === undefined || order.status !== "ready") return problem(403, "orderNotReady")
        if (ca.namesIn(csr).join() !== order.names.join()) return problem(400, "badCSR")
        const { beginsAt, expiresAt } = self.validity()
        Object.assign(order, { status: "valid", cert: ca.issue(csr, beginsAt, expiresAt) })
        return reply(200, orderDocument(id, order))
      }
      case "cert":
        return order?.cert === undefined ? problem(404, "malformed") : reply(200, order.cert)
      default:
        return problem(404, "malformed")
    }
  }

  function authorize(name: string): string {
    const id = String(authorizations.size + 1)
    authorizations.set(id, { name, token: randomBytes(16).toString("base64url"), status: "pending" })
    return id
  }

  const challengeDocument = (id: string, { token, status, error }: Authorization) => ({
    type: "http-01",
    url: `${base}/challenge/${id}`,
    token,
    status,
    ...(error && { error }),
  })
  const authorizationDocument = (id: string, authorization: Authorization) => ({
    identifier: { type: "dns", value: authorization.name },
    status: authorization.status,
    challenges: [{ type: "dns-01", url: `${base}/none`, token: "x" }, challengeDocument(id, authorization)],
  })
  function orderDocument(id: string, order: Order) {
    const isReady = order.authorizations.every((each) => authorizations.get(each)?.status === "valid")
    if (order.status === "pending" && isReady) order.status = "ready"
    return {
      status: order.status,
      authorizations: order.authorizations.map((each) => `${base}/authz/${each}`),
      finalize: `${base}/finalize/${id}`,
      ...(order.cert && { certificate: `${base}/cert/${id}` }),
    }
  }

  /** As an authority does: by http, at the name's own server. */
  async function validate(authorization: Authorization, jwk: Record<string, string>): Promise<void> {
    const { name, token } = authorization
    const url = `http://127.0.0.1:${self.plainPort}/.well-known/acme-challenge/${token}`
    const found = await fetch(url, { headers: { Host: name }, redirect: "manual" }).then((each) => each.text(), String)
    const sorted = JSON.stringify(Object.fromEntries(keyParts.map((part) => [part, jwk[part]])))
    const thumbprint = new Bun.CryptoHasher("sha256").update(sorted).digest("base64url")
    const isRight = found === `${token}.${thumbprint}`
    authorization.status = isRight ? "valid" : "invalid"
    if (!isRight)
      authorization.error = { type: "urn:ietf:params:acme:error:unauthorized", detail: `It answered ${found}` }
  }

  return self
}

const decoded = (text: string): string => Buffer.from(text, "base64url").toString("utf8")
