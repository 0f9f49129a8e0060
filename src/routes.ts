import type { AnyElysia } from "elysia"
import type { Engine } from "./engine.ts"
import { createAuthenticator } from "./http/auth.ts"
import { type BodyOptions, createBodies } from "./http/body.ts"
import { clientOf } from "./http/client.ts"
import { withCompression } from "./http/compression.ts"
import { createDashboardHost, type DashboardHost } from "./http/dashboard.ts"
import { dashboardRoutes } from "./http/dashboard-routes.ts"
import { createHandler } from "./http/handler.ts"
import { withHead } from "./http/listen.ts"
import { documentation } from "./http/openapi.ts"
import { createProtect } from "./http/protect.ts"
import { createClientAddress } from "./http/proxies.ts"
import { knownState } from "./http/request-state.ts"
import { createSandboxGuard } from "./http/sandbox-guard.ts"
import { createHttpApp } from "./http/server.ts"
import { sandboxKeys } from "./modules/sandbox/index.ts"
import type { Modules, Services } from "./modules.ts"

export interface RouteOptions {
  readonly dashboard?: DashboardHost
  readonly bodies?: BodyOptions
}

/** The HTTP application: the routes of every module, the document of the API, and the dashboard. */
export function createRoutes(
  engine: Engine,
  { list, actions }: Modules,
  { baseUrl, cookies, idempotency, rateLimit }: Pick<Services, "baseUrl" | "cookies" | "idempotency" | "rateLimit">,
  { dashboard = createDashboardHost(), bodies: bodyOptions }: RouteOptions = {},
) {
  const { config, clock, realClock } = engine
  const { projects, accounts, requests } = actions
  const isSandbox = config.mode === "sandbox"
  const { sessions } = cookies
  const directory = { projectOfKey: projects.projectOfKey, session: accounts.session, project: projects.find }
  /** The addresses of those who sent requests, because Elysia has no place for facts of the socket. */
  const clients = new WeakMap<Request, string>()
  const addressOf = (request: Request) => clients.get(request)
  const clientAddress = createClientAddress(config.http.trustedProxies)
  const auth = createAuthenticator({ directory, sessions, clock, publicOrigin: () => new URL(baseUrl()).origin })
  const bodies = createBodies(realClock, (request) => clientOf(request, addressOf(request)), bodyOptions)
  const protect = createProtect({
    auth,
    bodies,
    rateLimit,
    idempotency,
    addressOf,
  })

  const api = list.reduce<AnyElysia>(
    (app, { routes }) => (routes ? app.use(routes(protect)) : app),
    createHttpApp(engine, { origins: config.http.corsOrigins }),
  )
  const http = api.use(documentation({ baseUrl, ...(isSandbox ? { keys: sandboxKeys } : {}) })).use(
    dashboardRoutes({
      host: dashboard,
      ...cookies,
      addressOf,
      ...(isSandbox ? { enter: accounts.enterBuiltIn } : {}),
    }),
  )

  async function answer(request: Request, address?: string): Promise<Response> {
    const client = clientAddress(request, address)
    if (client !== undefined) clients.set(request, client)
    const began = performance.now()
    try {
      const response = await http.handle(request)
      log(request, response, began)
      return await withCompression(request, response)
    } finally {
      bodies.release(request)
    }
  }

  /** Adds a request to the log if its route asks for credentials; the pages and files of the dashboard do not. */
  function log(request: Request, { status }: Response, began: number): void {
    const { route, who = nobody } = knownState(request) ?? {}
    if (route === undefined || route.startsWith("/app/")) return
    const duration = Math.round((performance.now() - began) * 1_000)
    requests.record({ ...who, at: clock.now(), method: request.method, route: withoutSlash(route), status, duration })
  }

  const guard = createSandboxGuard({
    hosts: config.sandbox.hosts,
    baseUrl,
    origins: config.http.corsOrigins,
    keys: Object.values(sandboxKeys),
  })
  /** Answers a request like the server; `address` is the peer's. */
  return createHandler(withHead(answer, isTracking), { ...engine, ...(isSandbox ? { guard } : {}) })
}

/** A trailing slash is ignored (contract A1.2.5). */
const withoutSlash = (route: string): string => (route.endsWith("/") ? route.slice(0, -1) : route)

const nobody = { projectId: null, key: "none" } as const

/** Only a GET of a tracking link counts as a hit, so `HEAD` has its own handler there. */
const isTracking = ({ url }: Request): boolean => url.startsWith("/t/", url.indexOf("/", url.indexOf("://") + 3))
