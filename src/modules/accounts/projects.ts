import type { Engine } from "../../engine.ts"
import { accessDenied, type SignedIn } from "../../http/auth.ts"
import { authorize, type Role } from "../../http/permissions.ts"
import { forbidden } from "../../kernel/errors.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { type Project, type Projects, presentProject, type SettingsChange } from "../projects/index.ts"
import type { BuiltInOwner } from "./built-in-owner.ts"
import { findOwner, insertMember, listMemberships, listWithOwner, ownsDisabled } from "./store.ts"

interface AccountProjectDeps extends Pick<BuiltInOwner, "isBuiltIn"> {
  readonly projects: Projects
  readonly audit: Audit
}

/** The projects of users: who owns them, and who may change what of them (contract B8.3). */
export function createAccountProjects(
  { store }: Pick<Engine, "store">,
  { projects, audit, isBuiltIn }: AccountProjectDeps,
) {
  const shown = (project: Project, role: Role) => presentProject(projects.withSecret(project), role)

  return {
    async projectsOf({ userId }: SignedIn) {
      if (isBuiltIn(userId)) return (await projects.list()).map((project) => presentProject(project, "OWNER"))
      return (await listMemberships(store.read, userId)).map(({ project, role }) => shown(project, role))
    },

    ownsDisabled: (userId: string) => ownsDisabled(store.read, userId),

    /** Every project, oldest first, with the address of its owner; null before the first account. */
    projectsWithOwner: () => listWithOwner(store.read),

    /** Creates a project owned by the actor. */
    async createProject(given: string, actor: Actor & { readonly userId: string }) {
      const project = await projects.create(given, {
        also: async (unit, { id: projectId, name }) => {
          await insertMember(unit, { projectId, userId: actor.userId, role: "OWNER" })
          await audit.record(unit, { projectId, action: "project.created", actor, details: { name } })
        },
      })
      return presentProject(project, "OWNER")
    },

    /** Creates a project on the command line. The owner of the instance owns it, once there is one. */
    async createProjectFor(given: string, options: Parameters<Projects["create"]>[1] = {}) {
      return projects.create(given, {
        ...options,
        also: async (unit, { id: projectId, name }) => {
          const owner = await findOwner(unit.db)
          if (owner) await insertMember(unit, { projectId, userId: owner.id, role: "OWNER" })
          await audit.record(unit, { projectId, action: "project.created", details: { name } })
        },
      })
    },

    /**
     * @throws {DomainError} 403: only the owner of the instance may set `disabled`, and only the project's owner and
     * admins anything else.
     */
    async changeProject(
      { id }: { id: string },
      { disabled, ...sent }: SettingsChange,
      actor: Actor & { isOwner: boolean; isMember: boolean; role: Role },
    ) {
      const changes = Object.values(sent).some((value) => value !== undefined)
      if (disabled !== undefined && !actor.isOwner) throw forbidden("Only the owner of this server may do this.")
      if (changes || disabled === undefined) {
        if (!actor.isMember) throw accessDenied()
        authorize(actor.role, "project.manage")
      }
      const project = await projects.settings.update(id, { ...sent, disabled }, actor)
      // Users who are not members may change only this setting, and must not receive the secret key.
      return shown(project, actor.isMember ? actor.role : "MEMBER")
    },

    async rotateKeys(id: string, role: Role, actor: Actor) {
      return shown(await projects.settings.rotateKeys(id, actor), role)
    },

    resetProject: (id: string, actor: Actor) => projects.settings.reset(id, actor),

    deleteProject: (id: string, actor: Actor): Promise<void> => projects.deletion.remove(id, actor),
  }
}
