import type { Engine } from "../../engine.ts"
import { accessDenied, type ProjectRef } from "../../http/auth.ts"
import { textFault } from "../../http/schema.ts"
import { fault, invalid, notFound } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import { createRowCache } from "../../store/row-cache.ts"
import type { Unit } from "../../store/writer.ts"
import type { AuditEntry } from "../audit/index.ts"
import { createProjectDeletion, type DeletionDeps } from "./deletion.ts"
import { hashOfKey, isGeneratedKey, type KeyPair, newKeyPair, storedKey } from "./keys.ts"
import { createProjectSettings } from "./settings.ts"
import { projectDisabled } from "./signals.ts"
import {
  ensureSystemProject,
  findByPublicKey,
  findBySecretHash,
  findProject,
  insertProject,
  listProjects,
  saveDisabled,
} from "./store.ts"
import type { Project } from "./table.ts"

/** The name is the default name of the sender, so it must be allowed in a header. */
const nameRule = { min: 1, max: 100, form: "line" } as const

export type ProjectWithSecret = Project & { secret: string }

interface NewProjectOptions {
  readonly keys?: KeyPair
  /** More writes for the same unit. */
  readonly also?: (unit: Unit, project: Project) => Promise<void>
}

export function createProjectActions(
  engine: Pick<Engine, "store" | "ids" | "secret" | "bus" | "jobs" | "config">,
  deps: DeletionDeps,
) {
  const { store, ids, secret, bus, config } = engine
  const withSecret = (project: Project): ProjectWithSecret => ({
    ...project,
    secret: secret.open(project.secretSealed),
  })

  /** Keys that are easy to type are valid only in the sandbox (contract A8.3.1), even if one is stored. */
  const mayBeKey = (key: string): boolean => config.mode === "sandbox" || isGeneratedKey(key)

  const known = createRowCache<ProjectRef>(store)

  async function projectOfKey(kind: "secret" | "public", key: string): Promise<ProjectRef | undefined> {
    if (!mayBeKey(key)) return undefined
    const hash = kind === "secret" ? hashOfKey(key) : key
    return known.find(`${kind} ${hash}`, async () => {
      const found = kind === "secret" ? findBySecretHash(store.read, { hash }) : findByPublicKey(store.read, { key })
      return (await found)[0]
    })
  }

  /** Like the lookup by id, but undefined also for a deleted project. Within a unit, through the handle of the unit. */
  async function findUndeleted(id: string, db: Db = store.read): Promise<Project | undefined> {
    const found = await findProject(db, id)
    return found?.deletedAt === null ? found : undefined
  }

  /** For a change by a request, in its unit: the project may have been deleted since the request was let in. */
  const reach = async (id: string, db: Db): Promise<Project> => {
    const found = await findUndeleted(id, db)
    if (found === undefined) throw accessDenied()
    return found
  }

  async function disable(
    unit: Unit,
    id: string,
    reason: Project["disabledReason"],
    actor?: AuditEntry["actor"],
  ): Promise<void> {
    if ((await findUndeleted(id, unit.db)) === undefined) notFoundProject(id)
    if (!(await saveDisabled(unit, id, reason))) return
    known.forget(unit)
    if (reason !== null) {
      await deps.disable(unit, id)
      await bus.emit(unit, projectDisabled, id, { before: ids.next(), reason })
    }
    const action = reason === null ? "project.enabled" : "project.disabled"
    await deps.audit.record(unit, { projectId: id, action, ...(actor && { actor }), details: { reason } })
  }

  return {
    /** A project with a new key pair, valid at once. The name is one line of 1 to 100 characters after trimming. */
    async create(name: string, { keys = newKeyPair(), also }: NewProjectOptions = {}): Promise<ProjectWithSecret> {
      const given = name.trim()
      const wrong = textFault(nameRule, given)
      if (wrong) throw invalid([fault("name", wrong.code, `The name ${wrong.message}.`)])
      const id = ids.next()
      const project = await store.write(id, async (unit) => {
        const row = await insertProject(unit, {
          id,
          name: given,
          publicKey: keys.public,
          ...storedKey(keys.secret, secret),
          createdAt: unit.now,
          updatedAt: unit.now,
        })
        await also?.(unit, row)
        return row
      })
      return { ...project, secret: keys.secret }
    },

    list: async (): Promise<ProjectWithSecret[]> => (await listProjects(store.read)).map(withSecret),

    /**
     * For work on the data of a project. While the data of a deleted project are being deleted, it is found as a
     * disabled one. Within a unit, through the handle of the unit.
     */
    find: (id: string, db: Db = store.read): Promise<Project | undefined> => findProject(db, id),

    /** For requests that name a project. */
    findUndeleted,

    /** @throws {DomainError} not_found */
    async get(id: string): Promise<Project> {
      return (await findUndeleted(id)) ?? notFoundProject(id)
    },

    withSecret,

    /** The project of a key. One that a command rotates, or whose project it disables, is refused from then on. */
    projectOfKey,

    /** For mail of the service itself, which has no project. */
    ensureSystem: ensureSystemProject,

    /**
     * Disables a project for a reason, or enables it again with `null`. A disabled project keeps its reason.
     * @throws {DomainError} not_found
     */
    setDisabled: (id: string, reason: Project["disabledReason"], actor?: AuditEntry["actor"]): Promise<void> =>
      store.write(id, (unit) => disable(unit, id, reason, actor)),

    settings: createProjectSettings({ store, secret, known, reach, disable }, deps),

    deletion: createProjectDeletion({ ...engine, known, reach }, deps),
  }
}

export type Projects = ReturnType<typeof createProjectActions>

function notFoundProject(id: string): never {
  throw notFound("Project", id)
}
