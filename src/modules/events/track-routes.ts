import { Elysia } from "elysia"
import { byPublicKey, idempotencyKey } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { maxPublicFields } from "../contacts/index.ts"
import type { Events } from "./actions.ts"
import { presentTracked, trackAnswer, trackBody, trackRequestIn } from "./track-wire.ts"

/** Contract A1.2.4. */
export const trackBodyLimit = 1_048_576

export const trackRoutes = (events: Events, protect: Protect) =>
  new Elysia().use(protect({ accept: "public", idempotent: true, bodyLimit: trackBodyLimit })).post(
    "/v1/track",
    async ({ project, commit, body }) => {
      const { publicResubscribe: resubscribes } = project
      const request = { ...trackRequestIn(body), resubscribes, fieldLimit: maxPublicFields }
      return presentTracked(await events.track(project.id, request, commit))
    },
    {
      body: trackBody,
      detail: {
        operationId: "trackEvent",
        tags: ["Public API"],
        summary: "Track an event for a contact",
        description:
          "Creates or updates the contact, then records the event. Events start workflows and feed segments.",
        security: byPublicKey,
        parameters: idempotencyKey,
        responses: trackAnswer,
      },
    },
  )
