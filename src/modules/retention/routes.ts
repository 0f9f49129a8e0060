import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import { about, answers, bySession, named, refuses } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { day } from "../../kernel/clock.ts"
import { dayOf, listFreed } from "./store.ts"
import type { Freed } from "./table.ts"

const shownDays = 30

const freedSchema = t.Object({
  day: about("In UTC.", t.String({ format: "date" })),
  rows: about("The rows that were deleted, by what they were.", t.Record(t.String(), t.Integer())),
  fileBytes: about("Attachments and images that nothing needed any more.", t.Integer()),
  diskBytes: about("By how much the file of the database was made smaller.", t.Integer()),
})

export const retentionSchema = named(
  "Retention",
  t.Object({
    databaseBytes: t.Integer(),
    unusedBytes: about(
      "The part of the database that no row uses; the daily sweep gives it back, or one within ten minutes when it is more than a quarter.",
      t.Integer(),
    ),
    days: t.Array(freedSchema),
  }),
)

const example = {
  databaseBytes: 52_428_800,
  unusedBytes: 0,
  days: [{ day: "2026-01-31", rows: { content: 1200, "request log": 52_000 }, fileBytes: 4096, diskBytes: 8_192_000 }],
}

/** What retention has freed, for the owner of the instance (contract B10.8). */
export function retentionRoutes({ store, clock }: Pick<Engine, "store" | "clock">, protect: Protect) {
  async function report() {
    const { bytes, unusedBytes } = await store.space()
    const freed = await listFreed(store.read, dayOf(clock.now() - (shownDays - 1) * day))
    return { databaseBytes: bytes, unusedBytes, days: byDay(freed) }
  }
  return new Elysia({ prefix: "/instance", detail: { tags: ["Instance"], security: bySession } })
    .use(protect.user({ owner: true }))
    .get("/retention", report, {
      detail: {
        operationId: "getInstanceRetention",
        summary: "What was deleted because its time had come, in the last 30 days",
        responses: { ...answers(200, retentionSchema, example), ...refuses(403) },
      },
    })
}

function byDay(freed: readonly Freed[]) {
  const days = Object.groupBy(freed, (one) => one.day)
  const bytesOf = (all: readonly Freed[], wanted: string) => all.find(({ name }) => name === wanted)?.bytes ?? 0
  return Object.entries(days).map(([day, all = []]) => ({
    day,
    rows: Object.fromEntries(all.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows])),
    fileBytes: bytesOf(all, "files"),
    diskBytes: bytesOf(all, "disk"),
  }))
}
