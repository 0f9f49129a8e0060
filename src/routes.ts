import type { AnyElysia } from "elysia"
import type { Engine } from "./engine.ts"
import { createAuthenticator } from "./http/auth.ts"
import { type BodyOptions, createBodies } from "./http/body.ts"
import { clientOf } from "./http/client.ts"
import { withCompression } from "./http/compression.ts"
import { corsHeaders } from "./http/cors.ts"
import { createDashboardHost, type DashboardHost } from "./http/dashboard.ts"
import { dashboardRoutes, type Visitor } from "./http/dashboard-routes.ts"
import { createHandler } from "./http/handler.ts"
import { withHead } from "./http/listen.ts"
import { documentation } from "./http/openapi.ts"
import { pathStart } from "./http/path-start.ts"
import { createProtect } from "./http/protect.ts"
import { createClientAddress } from "./http/proxies.ts"
import { requestIdHeader } from "./http/request-id.ts"
import { levelOf, logRequest } from "./http/request-log.ts"
import { createRequestMetrics, noRoute } from "./http/request-metrics.ts"
import { knownState } from "./http/request-state.ts"
import { createSandboxGuard } from "./http/sandbox-guard.ts"
import { createHttpApp } from "./http/server.ts"
import type { SessionClaims } from "./http/session.ts"
import { parentIn } from "./kernel/tracer.ts"
import { sandboxKeys } from "./modules/sandbox/index.ts"
import type { Modules, Services } from "./modules.ts"

interface RouteOptions {
  readonly dashboard?: DashboardHost
  readonly bodies?: BodyOptions
}

/** The HTTP application: the routes of every module, the document of the API, and the dashboard. */
export function createRoutes(
  engine: Engine,
  { list, actions }: Modules,
  {
    baseUrl,
    cookies,
    idempotency,
    rateLimit,
    state,
  }: Pick<Services, "baseUrl" | "cookies" | "idempotency" | "rateLimit" | "state">,
  { dashboard = createDashboardHost(), bodies: bodyOptions }: RouteOptions = {},
) {
  const { config, clock, realClock, log, store, tracer } = engine
  const { projects, accounts, requests } = actions
  const isSandbox = config.mode === "sandbox"
  const { sessions } = cookies
  const { session, ownsDisabled } = accounts
  const directory = { projectOfKey: projects.projectOfKey, session, project: projects.findUndeleted, ownsDisabled }
  /** The addresses of those who sent requests, because Elysia has no place for facts of the socket. */
  const clients = new WeakMap<Request, string>()
  const addressOf = (request: Request) => clients.get(request)
  const clientAddress = createClientAddress(config.http.trustedProxies)
  const count = createRequestMetrics(engine.metrics)
  const auth = createAuthenticator({ directory, sessions, clock, publicOrigin: () => new URL(baseUrl()).origin })
  const bodies = createBodies(realClock, (request) => clientOf(request, addressOf(request)), bodyOptions)
  const protect = createProtect({
    auth,
    clock: realClock,
    bodies,
    rateLimit,
    idempotency,
    addressOf,
    isStopping: () => state() === "stopping",
  })

  const cors = { origins: config.http.corsOrigins }
  const api = list.reduce<AnyElysia>(
    (app, { routes }) => (routes ? app.use(routes(protect)) : app),
    createHttpApp(engine, cors),
  )
  const http = api.use(documentation({ baseUrl, ...(isSandbox ? { keys: sandboxKeys } : {}) })).use(
    dashboardRoutes({
      host: dashboard,
      ...cookies,
      addressOf,
      now: () => clock.now(),
      visitorOf,
      ...(isSandbox ? { enter: accounts.builtIn.enter } : {}),
    }),
  )

  async function visitorOf({ sessionId }: SessionClaims): Promise<Visitor | undefined> {
    const facts = await accounts.session(sessionId, null)
    if (facts === undefined || facts.user.mustVerify) return undefined
    const listed = await accounts.projectsOf(facts.user)
    return listed.length === 0 ? undefined : { sandbox: isSandbox, projects: listed }
  }

  async function answer(request: Request, address?: string): Promise<Response> {
    const client = clientAddress(request, address)
    if (client !== undefined) clients.set(request, client)
    const began = performance.now()
    try {
      const response = await http.handle(request)
      // What the answer tells may come from a read, which a power failure could undo.
      await store.settled()
      ended(request, response, began)
      return await withCompression(request, response)
    } finally {
      bodies.release(request)
    }
  }

  /** Counts a request, writes its line, and stores it in the log of API requests if its route asks for credentials. */
  function ended(request: Request, { status, headers }: Response, began: number): void {
    const ms = performance.now() - began
    const { method } = request
    const { route: given, admitted, who = nobody } = knownState(request) ?? {}
    const route = given === undefined ? noRoute : withoutSlash(given)
    count(method, route, status, ms / 1_000)
    if (tracer) trace(request, route, status, ms)
    if (log.writes(levelOf(status))) {
      const requestId = headers.get(requestIdHeader)
      logRequest(log, { requestId, method, route, status, ms, projectId: who.projectId })
    }
    if (admitted === undefined || route.startsWith("/app/")) return
    requests.record({ ...who, at: clock.now(), method, route, status, duration: Math.round(ms * 1_000) })
  }

  function trace({ method, headers }: Request, route: string, status: number, ms: number): void {
    const end = realClock.now()
    tracer?.record({
      name: `${method} ${route}`,
      kind: "server",
      start: end - ms,
      end,
      parent: parentIn(headers.get("traceparent")),
      failed: status >= 500,
      attributes: { "http.request.method": method, "http.route": route, "http.response.status_code": status },
    })
  }

  /** A request that was answered before its route was looked for. */
  function refused({ method }: Request, status: number, requestId: string): void {
    count(method, noRoute, status, 0)
    logRequest(log, { requestId, method, route: noRoute, status, ms: 0, projectId: null })
  }

  const guard = createSandboxGuard({
    hosts: config.sandbox.hosts,
    baseUrl,
    origins: config.http.corsOrigins,
    keys: Object.values(sandboxKeys),
  })
  /** Answers a request like the server; `address` is the peer's. */
  return createHandler(withHead(answer, isTracking), {
    ...engine,
    refused,
    ...(isSandbox ? { guard } : {}),
    crossOrigin: (request) => corsHeaders(request, cors),
  })
}

/** A trailing slash is ignored (contract A1.2.5). */
const withoutSlash = (route: string): string => (route.length > 1 && route.endsWith("/") ? route.slice(0, -1) : route)

const nobody = { projectId: null, key: "none" } as const

/** Only a GET of a tracking link counts as a hit, so `HEAD` has its own handler there. */
const isTracking = ({ url }: Request): boolean => url.startsWith("/t/", pathStart(url))
