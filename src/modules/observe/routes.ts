import { createHash, timingSafeEqual } from "node:crypto"
import { Elysia } from "elysia"
import { answersWith, byAnyone, refuses } from "../../http/openapi/describe.ts"
import { DomainError } from "../../kernel/errors.ts"
import type { Metrics } from "../../kernel/metrics.ts"
import { openMetricsText, prometheusText } from "../../kernel/metrics-text.ts"

const bearer = /^bearer +(\S.*)$/i

/** `GET /metrics` (contract A8.4). */
export function metricsRoutes(metrics: Metrics, token: string | null) {
  const mayRead = token === null ? () => true : isToken(token)
  return new Elysia({ detail: { tags: ["Instance"], security: byAnyone } }).get(
    "/metrics",
    async ({ request, set }) => {
      if (!mayRead(bearer.exec(request.headers.get("authorization") ?? "")?.[1] ?? "")) throw refusal()
      const format = prefersOpenMetrics(request.headers.get("accept") ?? "") ? openMetricsText : prometheusText
      set.headers["Content-Type"] = format.mediaType
      set.headers.Vary = "Accept"
      return format.write(await metrics.collect())
    },
    {
      detail: {
        operationId: "getMetrics",
        summary: "Figures for Prometheus",
        responses: {
          ...answersWith(
            ["text/plain", "application/openmetrics-text"],
            "The text format of Prometheus, version 0.0.4; with `Accept: application/openmetrics-text`, OpenMetrics 1.0.",
          ),
          ...refuses(401),
        },
      },
    },
  )
}

/** By the weights of the header (RFC 9110, 12.5.1); a client that names neither form gets that of Prometheus. */
function prefersOpenMetrics(accept: string): boolean {
  const weightOf = (type: string) =>
    accept.split(",").reduce((most, range) => {
      const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
      if (name !== type) return most
      const weight = parameters.find((one) => one.startsWith("q="))?.slice(2)
      return Math.max(most, weight === undefined ? 1 : Number(weight) || 0)
    }, 0)
  const wanted = weightOf("application/openmetrics-text")
  return wanted > 0 && wanted >= weightOf("text/plain")
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
