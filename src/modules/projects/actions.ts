import { defineSignal } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import { textFault } from "../../http/schema.ts"
import { fault, invalid, notFound } from "../../kernel/errors.ts"
import { hashOfKey, type KeyPair, newKeyPair } from "./keys.ts"
import { findByPublicKey, findBySecretHash, findProject, insertProject, listProjects, saveDisabled } from "./store.ts"
import type { Project } from "./table.ts"

/** Since `at` the project does nothing (contract B9.4.5): what it had under way is to be ended. */
export const projectDisabled = defineSignal<{ at: number }>("project.disabled")

/** What is stored of the project is not what it was. */
export const projectChanged = defineSignal<Record<string, never>>("project.changed")

/** The name is the default name of the sender, so it must be allowed in a header. */
const nameRule = { min: 1, max: 100, form: "line" } as const

export type ProjectWithSecret = Project & { secret: string }

export function createProjectActions({ store, ids, secret, bus }: Pick<Engine, "store" | "ids" | "secret" | "bus">) {
  /**
   * Projects by key and id, so that a request costs no query. Cleared with every change made by this process; one that
   * a command makes beside the server is seen when its signal arrives, within a second or so.
   */
  const byKey = { secret: new Map<string, Project>(), public: new Map<string, Project>() }
  const byId = new Map<string, Project>()
  /** Reads every project anew from now on. */
  const forget = () => {
    for (const known of [byKey.secret, byKey.public, byId]) known.clear()
  }

  const withSecret = (project: Project): ProjectWithSecret => ({
    ...project,
    secret: secret.open(project.secretSealed),
  })

  async function load(kind: "secret" | "public", key: string): Promise<Project | undefined> {
    const [project] =
      kind === "secret"
        ? await findBySecretHash(store.read, { hash: hashOfKey(key) })
        : await findByPublicKey(store.read, { key })
    return project
  }

  async function find(id: string): Promise<Project | undefined> {
    const known = byId.get(id) ?? (await findProject(store.read, id))
    if (known) byId.set(id, known)
    return known
  }

  return {
    /** A project with a new key pair, valid at once. The name is one line of 1 to 100 characters after trimming. */
    async create(name: string, keys: KeyPair = newKeyPair()): Promise<ProjectWithSecret> {
      const given = name.trim()
      const wrong = textFault(nameRule, given)
      if (wrong) throw invalid([fault("name", wrong.code, `The name ${wrong.message}.`)])
      const id = ids.next()
      const project = await store.write(id, (unit) =>
        insertProject(unit, {
          id,
          name: given,
          publicKey: keys.public,
          secretHash: hashOfKey(keys.secret),
          secretSealed: secret.seal(keys.secret),
          createdAt: unit.now,
          updatedAt: unit.now,
        }),
      )
      return { ...project, secret: keys.secret }
    },

    list: async (): Promise<ProjectWithSecret[]> => (await listProjects(store.read)).map(withSecret),

    find,

    async get(id: string): Promise<Project> {
      return (await find(id)) ?? notFoundProject(id)
    },

    /** The project a key of this kind belongs to. Misses are not remembered: a command may create one at any moment. */
    async projectOfKey(kind: "secret" | "public", key: string): Promise<Project | undefined> {
      const known = byKey[kind].get(key)
      if (known) return known
      const project = await load(kind, key)
      if (project) byKey[kind].set(key, project)
      return project
    },

    /**
     * Disables a project for a reason, or enables it again with `null`.
     * @throws {DomainError} not_found
     */
    async setDisabled(id: string, reason: Project["disabledReason"]): Promise<void> {
      await store.write(id, async (unit) => {
        if (!(await saveDisabled(unit, id, reason))) notFoundProject(id)
        await bus.emit(unit, projectChanged, id, {})
        if (reason !== null) await bus.emit(unit, projectDisabled, id, { at: unit.now })
        unit.afterCommit(forget)
      })
    },

    forget,
  }
}

export type Projects = ReturnType<typeof createProjectActions>

function notFoundProject(id: string): never {
  throw notFound("Project", id)
}
