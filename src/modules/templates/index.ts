import { and, eq, sql } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { notFound } from "../../kernel/errors.ts"
import { prepare } from "../../store/prepare.ts"
import { type Template, templateTable } from "./table.ts"

export { type MailType, mailTypes, type Template, templateTable } from "./table.ts"

const byId = prepare((db) =>
  db
    .select()
    .from(templateTable)
    .where(and(eq(templateTable.projectId, sql.placeholder("projectId")), eq(templateTable.id, sql.placeholder("id")))),
)

/** Templates: content that is written once and sent often. */
export function templates({ store }: Pick<Engine, "store">) {
  return {
    async get(projectId: string, id: string): Promise<Template> {
      const [row] = await byId(store.read, { projectId, id })
      if (row === undefined) throw notFound("Template", id)
      return row
    },
  }
}

export type Templates = ReturnType<typeof templates>
