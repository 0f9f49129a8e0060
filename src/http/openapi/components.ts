import type { JsonObject } from "../../kernel/json.ts"
import { sessionCookie } from "../session.ts"
import { errorSchema, refusalResponses } from "./refusals.ts"
import type { Schemas } from "./schemas.ts"

/** The shared parts that operations refer to. Built last, when all schemas are known. */
export function components(schemas: Schemas): JsonObject {
  const responses = refusalResponses(schemas.plain(errorSchema))
  const sorted = Object.entries(schemas.shared).sort(([one], [other]) => (one < other ? -1 : 1))
  return { schemas: Object.fromEntries(sorted), responses, parameters, headers, securitySchemes }
}

const requestId = { type: "string", minLength: 1, maxLength: 200, pattern: "^[A-Za-z0-9._~:@/+=-]+$" }

const parameters: JsonObject = {
  RequestId: {
    name: "X-Request-ID",
    in: "header",
    description:
      "A name for this request, which the answer and the log repeat: up to 200 letters, digits and `._~:@/+=-`. In place of any other, and without one, the server makes one.",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes the request happen once: a key that was used, such as `order-991`, is refused with 409 for 24 hours.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
  },
}

const seconds = (description: string): JsonObject => ({ description, schema: { type: "integer", minimum: 1 } })

const headers: JsonObject = {
  "X-Request-ID": { description: "The name of this request, as sent or made by the server.", schema: requestId },
  "Retry-After": seconds("Seconds to wait before the next try."),
  "RateLimit-Limit": { description: "Requests per minute.", schema: { type: "integer", minimum: 1 } },
  "RateLimit-Remaining": { description: "Requests left in this minute.", schema: { type: "integer", minimum: 0 } },
  "RateLimit-Reset": seconds("Seconds until the count starts again."),
}

const securitySchemes: JsonObject = {
  secretKey: {
    type: "http",
    scheme: "bearer",
    description: "The secret key of a project, `sk_...`. For servers only.",
  },
  publicKey: {
    type: "http",
    scheme: "bearer",
    description: "The public key of a project, `pk_...`. Tracks events, nothing else.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie,
    description: "The session of somebody who is signed in.",
  },
  project: { type: "apiKey", in: "header", name: "X-Project-Id", description: "Which project a session acts on." },
}
