import { and, eq, sql } from "drizzle-orm"
import { LRUCache } from "lru-cache"
import { defineSignal } from "../../../bus/signal.ts"
import type { Engine } from "../../../engine.ts"
import { hour, isWithin } from "../../../kernel/clock.ts"
import type { Db } from "../../../store/database.ts"
import { idParam } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { type Content, contentTable, type StoredAttachment } from "../table.ts"

/** Content was stored, for the first time or again after a restart. */
export const contentStored = defineSignal<{ hash: string }>("content.stored")

/** The part of a message that other messages may share. */
export interface NewContent {
  readonly subject: string
  readonly body: string
  /** Null: made from the HTML. */
  readonly text: string | null
  /** Literal text, not a template: mail that came in by SMTP. */
  readonly literal: boolean
  readonly headers: Record<string, string>
  readonly attachments: readonly StoredAttachment[]
}

const byHash = prepare((db) =>
  db
    .select()
    .from(contentTable)
    .where(and(eq(contentTable.projectId, idParam("projectId")), eq(contentTable.hash, sql.placeholder("hash")))),
)

const insert = prepare((db) =>
  db
    .insert(contentTable)
    .values({
      projectId: idParam("projectId"),
      hash: sql.placeholder("hash"),
      subject: sql.placeholder("subject"),
      body: sql.placeholder("body"),
      literal: sql.placeholder("literal"),
      headers: sql.placeholder("headers"),
      attachments: sql.placeholder("attachments"),
      createdAt: sql.placeholder("createdAt"),
      text: sql.placeholder("text"),
      usedAt: sql.placeholder("createdAt"),
    })
    .onConflictDoUpdate({
      target: [contentTable.projectId, contentTable.hash],
      // Only increases, although the clock may be set back.
      set: {
        usedAt: sql`CASE WHEN excluded.used_at > ${contentTable.usedAt} THEN excluded.used_at ELSE ${contentTable.usedAt} END`,
      },
    }),
)

/** SHA-256 over every part with its length, so that the boundaries of parts are unambiguous. */
export function hashOfContent({ subject, body, text, literal, headers, attachments }: NewContent): string {
  const parts = [subject, body, String(literal), JSON.stringify(headers), JSON.stringify(attachments)]
  if (text !== null) parts.push(text)
  const hasher = new Bun.CryptoHasher("sha256")
  for (const part of parts) hasher.update(`${part.length}:`).update(part)
  return hasher.digest("hex")
}

/** Stores content once per project; of the same content again only the time of its use is stored. */
async function saveContent(unit: Unit, projectId: string, hash: string, content: NewContent): Promise<void> {
  await insert(unit.db, { projectId, hash, ...content, createdAt: unit.now })
}

/** How long, in ms, `usedAt` may be behind the last use. */
export const usedAtLag = hour

/**
 * A `saveContent` that skips content this process has stored within the last hour, so that content that is sent often
 * costs nothing. The hashes are in memory; content never changes, `erase` removes them with the content, and retention
 * keeps content for longer than an hour after its use, so an entry is never wrong.
 */
export function createContentWriter({ bus }: Pick<Engine, "bus">) {
  const stored = new LRUCache<string, number>({ max: 1_000 })
  return {
    async save(unit: Unit, projectId: string, hash: string, content: NewContent): Promise<void> {
      const key = `${projectId} ${hash}`
      const storedAt = stored.get(key)
      if (storedAt !== undefined && isWithin(usedAtLag, unit.now, storedAt)) return
      await saveContent(unit, projectId, hash, content)
      await bus.emit(unit, contentStored, projectId, { hash })
      unit.afterCommit(() => stored.set(key, unit.now))
    },

    /** Deletes all content of a project. */
    async erase(unit: Unit, projectId: string): Promise<void> {
      await unit.db.delete(contentTable).where(eq(contentTable.projectId, projectId))
      // At once, for later units of the same commit; and again after the commit, because earlier units of it add their
      // entries then.
      stored.clear()
      unit.afterCommit(() => stored.clear())
    },
  }
}

export type SaveContent = ReturnType<typeof createContentWriter>["save"]

export async function findContent(db: Db, projectId: string, hash: string): Promise<Content | undefined> {
  const [row] = await byHash(db, { projectId, hash })
  return row
}
