import { and, eq, getTableColumns, sql } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { DomainError } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import type { Db } from "../../store/database.ts"
import { contentOf, type Files } from "../../store/files.ts"
import type { Unit } from "../../store/writer.ts"
import { isReal, projectTable } from "../projects/index.ts"
import { typeOfImage } from "./image.ts"
import { type ImageType, type Upload, uploadTable } from "./table.ts"

const extensions: Readonly<Record<ImageType, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
}

/** The name of an image in its public address. */
export const keyOf = ({ id, contentType }: Pick<Upload, "id" | "contentType">): string =>
  `${id}.${extensions[contentType]}`

export interface UploadDeps {
  readonly files: Pick<Files, "keepFor" | "open">
}

export function createUploadActions(
  { store, ids, config }: Pick<Engine, "store" | "ids" | "config">,
  { files }: UploadDeps,
) {
  const quota = config.limits.uploadsBytes

  async function requireSpace(db: Db, projectId: string, size: number): Promise<void> {
    if (quota === 0) return
    const [row] = await db
      .select({ bytes: sql<number>`coalesce(sum(${uploadTable.size}), 0)` })
      .from(uploadTable)
      .where(eq(uploadTable.projectId, projectId))
    if ((row?.bytes ?? 0) + size > quota)
      throw new DomainError(
        "conflict",
        "CONFLICT",
        `The images of a project may have ${quota / 1_048_576} MB together.`,
      )
  }

  return {
    /**
     * Stores an image; when it resolves, bytes and row are on disk. The same bytes again are the same upload.
     * @throws {DomainError} malformed when it is not an image that is accepted, conflict when the project has too many
     */
    async add(projectId: string, bytes: Uint8Array): Promise<Upload> {
      const contentType = await typeOfImage(bytes, projectId)
      const content = contentOf(bytes)
      const { hash } = content
      // Checked again in the unit, because other uploads may have used the space meanwhile.
      if (!(await findByHash(store.read, projectId, hash))) await requireSpace(store.read, projectId, bytes.length)
      return files.keepFor([content], () =>
        store.write(projectId, async (unit) => {
          const known = await findByHash(unit.db, projectId, hash)
          if (known) return known
          await requireSpace(unit.db, projectId, bytes.length)
          const row = { id: ids.next(), projectId, hash, contentType, size: bytes.length, createdAt: unit.now }
          await unit.db.insert(uploadTable).values(row)
          return row
        }),
      )
    },

    /**
     * The image with this key and its bytes, which are read as they are sent; undefined when there is none, or its project
     * is deleted (contract B8.3.5).
     */
    async open(key: string): Promise<{ upload: Upload; bytes: Blob } | undefined> {
      const [name = ""] = key.split(".", 1)
      const id = parseId(name)
      const upload = id && (await findUpload(store.read, id))
      return upload && keyOf(upload) === key ? { upload, bytes: files.open(upload.hash) } : undefined
    },

    /** The hashes of all stored images. */
    hashes: async (db: Db): Promise<string[]> =>
      (await db.selectDistinct({ hash: uploadTable.hash }).from(uploadTable)).map(({ hash }) => hash),

    async erase(unit: Unit, projectId: string): Promise<void> {
      await unit.db.delete(uploadTable).where(eq(uploadTable.projectId, projectId))
    },
  }
}

async function findUpload(db: Db, id: string): Promise<Upload | undefined> {
  const [row] = await db
    .select(getTableColumns(uploadTable))
    .from(uploadTable)
    .innerJoin(projectTable, eq(projectTable.id, uploadTable.projectId))
    .where(and(eq(uploadTable.id, id), isReal))
  return row
}

async function findByHash(db: Db, projectId: string, hash: string): Promise<Upload | undefined> {
  const [row] = await db
    .select()
    .from(uploadTable)
    .where(and(eq(uploadTable.projectId, projectId), eq(uploadTable.hash, hash)))
  return row
}

export type Uploads = ReturnType<typeof createUploadActions>
