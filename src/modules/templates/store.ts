import { and, asc, count, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import type { Paging } from "../../http/page.ts"
import type { Db } from "../../store/database.ts"
import { containsText, idParam } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { caseFold, searchTextOf } from "./rules.ts"
import { type MailType, type Template, templateTable } from "./table.ts"

export interface TemplateFilter {
  readonly type: MailType | undefined
  /** A text to find in name, subject and description, literally and ignoring case. */
  readonly search: string | undefined
}

export const sortKeys = ["createdAt", "updatedAt", "name"] as const

export interface TemplateOrder {
  readonly sort: (typeof sortKeys)[number]
  readonly dir: "asc" | "desc"
}

const { searchText: _, ...columns } = getTableColumns(templateTable)

const byId = prepare((db) =>
  db
    .select(columns)
    .from(templateTable)
    .where(and(eq(templateTable.projectId, idParam("projectId")), eq(templateTable.id, idParam("id")))),
)

export async function findTemplate(db: Db, projectId: string, id: string): Promise<Template | undefined> {
  const [row] = await byId(db, { projectId, id })
  return row
}

const matching = (projectId: string, { type, search }: TemplateFilter): SQL | undefined =>
  and(
    eq(templateTable.projectId, projectId),
    type === undefined ? undefined : eq(templateTable.type, type),
    search === undefined ? undefined : containsText(templateTable.searchText, caseFold(search)),
  )

/** As in the indexes of the table: names are sorted ignoring the case of ASCII letters. */
const sortKey = {
  createdAt: templateTable.createdAt,
  updatedAt: templateTable.updatedAt,
  name: sql`lower(${templateTable.name})`,
}

export function listTemplates(
  db: Db,
  projectId: string,
  filter: TemplateFilter,
  { sort, dir }: TemplateOrder,
  { offset, pageSize }: Paging,
): Promise<Template[]> {
  const inOrder = dir === "asc" ? asc : desc
  return db
    .select(columns)
    .from(templateTable)
    .where(matching(projectId, filter))
    .orderBy(inOrder(sortKey[sort]), inOrder(templateTable.id))
    .limit(pageSize)
    .offset(offset)
}

export async function countTemplates(db: Db, projectId: string, filter: TemplateFilter): Promise<number> {
  const [row] = await db.select({ count: count() }).from(templateTable).where(matching(projectId, filter))
  return row?.count ?? 0
}

export async function insertTemplate(unit: Unit, template: Template): Promise<void> {
  await unit.db.insert(templateTable).values({ ...template, searchText: searchTextOf(template) })
}

export async function saveTemplate(unit: Unit, template: Template): Promise<void> {
  const { id, projectId, ...rest } = template
  await unit.db
    .update(templateTable)
    .set({ ...rest, searchText: searchTextOf(template) })
    .where(and(eq(templateTable.projectId, projectId), eq(templateTable.id, id)))
}

export async function deleteTemplate(unit: Unit, projectId: string, id: string): Promise<void> {
  await unit.db.delete(templateTable).where(and(eq(templateTable.projectId, projectId), eq(templateTable.id, id)))
}
