import { defineSignal } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import { textFault } from "../../http/schema.ts"
import { fault, invalid, notFound } from "../../kernel/errors.ts"
import type { Unit } from "../../store/writer.ts"
import { hashOfKey, type KeyPair, newKeyPair } from "./keys.ts"
import { findByPublicKey, findBySecretHash, findProject, insertProject, listProjects, saveDisabled } from "./store.ts"
import type { Project } from "./table.ts"

/** Since `at` the project does nothing (contract B9.4.5): what it had under way is to be ended. */
export const projectDisabled = defineSignal<{ at: number }>("project.disabled")

export interface ProjectPorts {
  /** Told in the unit that disables a project. */
  disabled(unit: Unit, projectId: string): Promise<void>
}

/** It is the sender's name of mail without one, so that it must be able to stand in a header. */
const nameRule = { min: 1, max: 100, form: "line" } as const

export type ProjectWithSecret = Project & { secret: string }

export function projectActions({ store, ids, secret }: Pick<Engine, "store" | "ids" | "secret">, ports: ProjectPorts) {
  /** Projects by key, so that a request costs no query. Cleared by whatever changes a project. */
  const byKey = { secret: new Map<string, Project>(), public: new Map<string, Project>() }
  const byId = new Map<string, Project>()
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
    /** A project with a fresh key pair, valid at once. The name is one line of 1 to 100 characters, spaces around it cut. */
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
        if (reason !== null) await ports.disabled(unit, id)
        unit.afterCommit(forget)
      })
    },
  }
}

function notFoundProject(id: string): never {
  throw notFound("Project", id)
}
