import { type Static, Type as t } from "@sinclair/typebox"
import { about, answers, named, oneOf, onlyNull, orNull } from "../../http/openapi/describe.ts"

const health = named(
  "Health",
  t.Object({
    status: about("`error` while the store cannot be read or written.", oneOf(["ok", "error"])),
    version: t.String(),
    uptime: about("Seconds since the start.", t.Integer()),
  }),
)

export const healthAnswers = {
  ...answers(200, health, { status: "ok", version: "1.0.0", uptime: 86_400 }),
  ...answers(503, health, { status: "error", version: "1.0.0", uptime: 86_400 }),
}

const readiness = named(
  "Readiness",
  t.Object({
    status: about(
      "`ok`: requests are answered and everything runs. `starting` and `stopping`: not yet, or not any more. `error`: as in `/health`.",
      oneOf(["ok", "starting", "stopping", "error"]),
    ),
  }),
)

export const liveAnswers = answers(200, t.Object({ status: oneOf(["ok"]) }), { status: "ok" })

export const readyAnswers = {
  ...answers(200, readiness, { status: "ok" }),
  ...answers(503, readiness, { status: "starting" }),
}

const enabled = t.Object({ enabled: t.Boolean() })
const port = orNull(t.Integer())

export const configSchema = named(
  "Config",
  t.Object({
    environment: oneOf(["production", "sandbox"]),
    version: t.String(),
    sandbox: t.Boolean(),
    urls: t.Object({ api: t.String(), dashboard: t.String(), landing: onlyNull(), wiki: t.String() }),
    features: t.Object({
      billing: enabled,
      storage: t.Object({ enabled: t.Boolean(), s3Enabled: t.Boolean() }),
      authProviders: t.Object({ github: t.Boolean(), google: t.Boolean() }),
      signup: t.Object({ signupsDisabled: t.Boolean() }),
      email: t.Object({
        trackingToggleEnabled: t.Boolean(),
        captured: about("Whether mail stays on this machine.", t.Boolean()),
        paused: about("Whether nothing is sent yet: after a restore from a backup, or during an update.", t.Boolean()),
      }),
      sponsor: enabled,
      systemMail: enabled,
      smtp: t.Object({
        enabled: t.Boolean(),
        domain: orNull(t.String()),
        ports: orNull(t.Object({ secure: port, submission: port })),
      }),
    }),
    aws: t.Object({ sesRegion: orNull(t.String()), mailFromSubdomain: onlyNull() }),
  }),
)

const example: Static<typeof configSchema> = {
  environment: "production",
  version: "1.0.0",
  sandbox: false,
  urls: {
    api: "https://mail.acme.test",
    dashboard: "https://mail.acme.test/app",
    landing: null,
    wiki: "https://mail.acme.test/docs",
  },
  features: {
    billing: { enabled: false },
    storage: { enabled: true, s3Enabled: false },
    authProviders: { github: false, google: false },
    signup: { signupsDisabled: false },
    email: { trackingToggleEnabled: true, captured: false, paused: false },
    sponsor: { enabled: false },
    systemMail: { enabled: true },
    smtp: { enabled: true, domain: "mail.acme.test", ports: { secure: 465, submission: 587 } },
  },
  aws: { sesRegion: null, mailFromSubdomain: null },
}

export const configAnswer = answers(200, configSchema, example)
