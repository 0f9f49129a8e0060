import { Elysia, t } from "elysia"

/** The bare limit of HTTP requests: a route that validates the same body and echoes it. */
const email = t.String({ minLength: 3 })
const data = t.Optional(t.Object({}, { additionalProperties: true }))
const track = t.Object({ email, event: t.String({ minLength: 1, maxLength: 255 }), data })
const send = t.Object({ to: email, from: email, subject: t.String(), body: t.String(), data })

const app = new Elysia({ normalize: false })
  .post("/v1/track", ({ body }) => body, { body: track })
  .post("/v1/send", ({ body }) => body, { body: send })
  .get("/emails", ({ query }) => query, { query: t.Object({ page: t.Optional(t.String()) }) })
  .listen({ port: 0, hostname: "127.0.0.1" })

console.log(`listening on http://127.0.0.1:${app.server?.port}`)
