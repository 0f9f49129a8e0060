import { type Metrics, requestBounds } from "../kernel/metrics.ts"

/** Counts a request. `route` is a template, so that invented paths add no series. */
type CountRequest = (method: string, route: string, status: number, seconds: number) => void

/** What stands for the route of a request that has none. */
export const noRoute = "unmatched"

/** The method is chosen by the client. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

export function createRequestMetrics(metrics: Metrics): CountRequest {
  const requests = metrics.counter(
    "mailstead_http_requests_total",
    "HTTP requests that were answered, by the template of their path.",
    ["method", "route", "status"],
  )
  const durations = metrics.histogram(
    "mailstead_http_request_duration_seconds",
    "Time until the response to an HTTP request began.",
    requestBounds,
    ["method", "route"],
  )
  return (given, route, status, seconds) => {
    const method = methods.has(given) ? given : "OTHER"
    requests.of(method, route, status).add()
    durations.of(method, route).observe(seconds)
  }
}
