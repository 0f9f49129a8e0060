import { createHash, timingSafeEqual } from "node:crypto"
import { Elysia } from "elysia"
import { answersWith, byAnyone, refuses } from "../../http/openapi/describe.ts"
import { DomainError } from "../../kernel/errors.ts"
import type { Metrics } from "../../kernel/metrics.ts"
import { metricsText, metricsType } from "../../kernel/metrics-text.ts"

const bearer = /^bearer +(\S.*)$/i

/** `GET /metrics` (contract A8.4). */
export function metricsRoutes(metrics: Metrics, token: string | null) {
  const mayRead = token === null ? () => true : isToken(token)
  return new Elysia({ detail: { tags: ["Instance"], security: byAnyone } }).get(
    "/metrics",
    async ({ request, set }) => {
      if (!mayRead(bearer.exec(request.headers.get("authorization") ?? "")?.[1] ?? "")) throw refusal()
      set.headers["Content-Type"] = metricsType
      return metricsText(await metrics.collect())
    },
    {
      detail: {
        operationId: "getMetrics",
        summary: "Figures for Prometheus",
        responses: { ...answersWith("text/plain", "The text format of Prometheus, version 0.0.4."), ...refuses(401) },
      },
    },
  )
}

/** Compares hashes, in a time that depends neither on the given text nor on its length. */
function isToken(token: string): (given: string) => boolean {
  const hashOf = (text: string) => createHash("sha256").update(text).digest()
  const wanted = hashOf(token)
  return (given) => timingSafeEqual(hashOf(given), wanted)
}

const refusal = () =>
  new DomainError("unauthorized", "UNAUTHORIZED", "The token of the metrics is needed.", {
    suggestion: "Send the header Authorization: Bearer and the value of metrics.token.",
  })
