import { type Static, Type as t } from "@sinclair/typebox"
import { eq } from "drizzle-orm"
import { about, named, orNull } from "../../http/openapi/describe.ts"
import { optional, shape, withRules } from "../../http/schema.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { eventDataFaults } from "../contacts/index.ts"
import { sampleTable } from "./table.ts"

const example = { data: { firstName: "Ada", order: { total: 12 } } }

/** The body of `PUT /templates/{id}/sample` (contract A6.8). */
export const sampleBody = withRules(
  named(
    "TemplateSampleRequest",
    shape({ data: about("As in a preview; null for none.", optional(shape({}))) }),
    example,
  ),
  ({ data }) => eventDataFaults(data),
)

export const sampleIn = ({ data }: Static<typeof sampleBody>): JsonObject | null => (data as JsonObject | null) ?? null

export const sampleSchema = named(
  "TemplateSample",
  t.Object({ data: about("Null where there is none.", orNull(t.Record(t.String(), t.Unknown()))) }),
)

export const sampleExample: Static<typeof sampleSchema> = example

export async function findSample(db: Db, templateId: string): Promise<JsonObject | null> {
  const [row] = await db
    .select({ data: sampleTable.data })
    .from(sampleTable)
    .where(eq(sampleTable.templateId, templateId))
  return row?.data ?? null
}

export async function saveSample(unit: Unit, templateId: string, data: JsonObject | null): Promise<void> {
  if (data === null) await unit.db.delete(sampleTable).where(eq(sampleTable.templateId, templateId))
  else
    await unit.db
      .insert(sampleTable)
      .values({ templateId, data })
      .onConflictDoUpdate({ target: sampleTable.templateId, set: { data } })
}
