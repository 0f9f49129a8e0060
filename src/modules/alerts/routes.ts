import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import { about, answers, bySession, named, refuses, time, wrapped } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { iso } from "../../kernel/clock.ts"
import { listAlerts } from "./store.ts"

export const instanceAlertSchema = named(
  "InstanceAlert",
  t.Object({
    key: about("Names what is the matter, for example `disk`.", t.String()),
    sentence: about("What is the matter and what to do.", t.String()),
    since: time(),
  }),
)

const example = {
  key: "disk",
  sentence: "Only 320 MB are free on the disk of the data folder: make space, or mail will not be accepted.",
  since: "2026-01-31T09:15:00.000Z",
}

/** The alerts in force, for the owner of the instance (contract B8.3.24). */
export const alertRoutes = (store: Engine["store"], protect: Protect) =>
  new Elysia({ prefix: "/instance", detail: { tags: ["Instance"], security: bySession } })
    .use(protect.user({ owner: true }))
    .get(
      "/alerts",
      async () => ({
        success: true,
        data: (await listAlerts(store.read)).map(({ key, sentence, since }) => ({ key, sentence, since: iso(since) })),
      }),
      {
        detail: {
          operationId: "listInstanceAlerts",
          summary: "What keeps the server from working, the oldest first",
          responses: {
            ...answers(200, wrapped(t.Array(instanceAlertSchema)), { success: true, data: [example] }),
            ...refuses(403),
          },
        },
      },
    )
