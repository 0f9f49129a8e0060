import { secret } from "./kinds.ts"
import { baseUrl } from "./net-kinds.ts"
import { optional, type Setting } from "./setting.ts"

/** What others may see of the server, whom it tells, and where its updates come from (contract A8.4, A8.5, B8.3.24). */
export const observeSettings = {
  "metrics.token": optional(
    secret,
    "a long random text",
    "The bearer token that /metrics requires. Without one, anybody who reaches the server may read them.",
  ),

  "otel.endpoint": optional(
    baseUrl,
    "http://127.0.0.1:4318",
    "Sends traces and metrics to an OpenTelemetry collector by OTLP over HTTP, as JSON.",
  ),
  "otel.headers": optional(
    secret,
    "Authorization=Bearer abc",
    "Headers for the collector: name=value, separated by commas.",
  ),
  "alerts.webhook": optional(
    secret,
    "https://hooks.example.com/services/abc",
    "A URL that receives alerts as JSON, for example a Slack webhook. The owner of the instance gets them by mail when system_mail.from is set.",
  ),
  "update.url": optional(
    baseUrl,
    "https://downloads.example.com/mailstead/update.json",
    "Where `mailstead update` finds the signed manifest of the newest release; its archives must be in the same folder.",
  ),
} as const satisfies Record<string, Setting<unknown>>
