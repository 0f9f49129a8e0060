import { sql } from "drizzle-orm"
import { Elysia } from "elysia"
import { sesRegion } from "../../config.ts"
import type { Engine } from "../../engine.ts"
import { byAnyone } from "../../http/openapi/describe.ts"
import { buildInfo } from "../../kernel/build-info.ts"
import { isSendingPaused } from "../../store/sending-pause.ts"
import { configAnswer, healthAnswers, liveAnswers, readyAnswers } from "./document.ts"

/** Where the server is between its start and its end. */
export type ServerState = "starting" | "running" | "stopping"

/** Facts in `GET /config` and `GET /health/ready` that are not in the configuration. */
export interface InstanceInfo {
  readonly state: () => ServerState
  /** Prefix of public links. */
  readonly baseUrl: () => string
  /** The name of this mail server; undefined when it has none but that of this machine. */
  readonly mailHost: () => string | undefined
  /** Whether mail is captured instead of delivered. */
  readonly captures: boolean
  /** Ports of the SMTP listeners, null where there is none. */
  readonly smtp: () => { readonly submission: number | null; readonly secure: number | null }
}

/** The instance itself: its health and its features (contract A8.4, B7.3). These routes need no key. */
export function instanceRoutes(
  { store, realClock, config }: Pick<Engine, "store" | "realClock" | "config">,
  info: InstanceInfo,
) {
  const startedAt = realClock.now()
  return new Elysia({ detail: { tags: ["Instance"], security: byAnyone } })
    .get("/health", health, {
      detail: { operationId: "getHealth", summary: "Is the server well", responses: healthAnswers },
    })
    .get("/health/live", () => ({ status: "ok" }), {
      detail: { operationId: "getLiveness", summary: "Does the process answer", responses: liveAnswers },
    })
    .get("/health/ready", ready, {
      detail: { operationId: "getReadiness", summary: "Should the server get requests", responses: readyAnswers },
    })
    .get("/config", features, {
      detail: { operationId: "getInstanceConfig", summary: "What the server can do", responses: configAnswer },
    })
    .get("/", ({ redirect }) => redirect("/app", 302), { detail: { hide: true } })

  async function health({ set }: { set: { status?: number | string } }) {
    // The clock may be set back.
    const uptime = Math.max(0, Math.floor((realClock.now() - startedAt) / 1_000))
    const isUsable = await usable()
    if (!isUsable) set.status = 503
    return { status: isUsable ? "ok" : "error", version: buildInfo.version, uptime }
  }

  async function usable(): Promise<boolean> {
    try {
      await store.read.all(sql`SELECT 1`)
      await store.check()
      return true
    } catch {
      return false
    }
  }

  async function ready({ set }: { set: { status?: number | string } }) {
    const state = info.state()
    const status = state !== "running" ? state : (await usable()) ? "ok" : "error"
    if (status !== "ok") set.status = 503
    return { status }
  }

  function features() {
    const api = info.baseUrl()
    const { submission, secure } = info.smtp()
    const smtpOn = submission !== null || secure !== null
    return {
      environment: config.mode === "sandbox" ? "sandbox" : "production",
      version: buildInfo.version,
      sandbox: config.mode === "sandbox",
      urls: { api, dashboard: `${api}/app`, landing: null, wiki: `${api}/docs` },
      features: {
        billing: { enabled: false },
        storage: { enabled: true, s3Enabled: false },
        authProviders: { github: false, google: false },
        signup: { signupsDisabled: !config.accounts.signups },
        email: {
          trackingToggleEnabled: true,
          captured: info.captures,
          paused: isSendingPaused(store.folder),
        },
        sponsor: { enabled: false },
        systemMail: { enabled: config.systemMail.from !== null },
        smtp: {
          enabled: smtpOn,
          domain: smtpOn ? (info.mailHost() ?? "localhost") : null,
          ports: smtpOn ? { submission, secure } : null,
        },
      },
      aws: { sesRegion: sesRegion(config) ?? null, mailFromSubdomain: null },
    }
  }
}
