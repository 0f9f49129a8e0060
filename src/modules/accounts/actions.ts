import type { ProjectRef, Role } from "../../http/auth.ts"
import { iso } from "../../kernel/clock.ts"

/** The owner that the sandbox signs in by itself (contract A8.3.6). */
export const builtInOwner = "00000000-0000-7000-8000-000000000001"

export interface AccountDeps {
  /** What accounts need of projects, which are on the same step. */
  readonly projects: {
    find(id: string): Promise<ProjectRef | undefined>
    /** All projects, as somebody of this role sees them. */
    present(role: Role): Promise<unknown[]>
  }
  /** Whether the built-in owner exists, as in the sandbox. */
  readonly builtIn: boolean
  /** When the instance started, in ms. */
  readonly since: number
}

export function createAccountActions({ projects, builtIn, since }: AccountDeps) {
  const isOwner = (userId: string): boolean => builtIn && userId === builtInOwner
  return {
    async membership(userId: string, projectId: string): Promise<{ project: ProjectRef; role: Role } | undefined> {
      const project = isOwner(userId) ? await projects.find(projectId) : undefined
      return project && { project, role: "OWNER" }
    },

    /** Whether test messages of a project may go to an address: to those of its members, in the sandbox to any. */
    mayReceiveTests: async (_projectId: string, _address: string): Promise<boolean> => builtIn,

    user: (id: string) => ({
      id,
      email: "owner@localhost",
      type: "OWNER",
      emailVerified: true,
      createdAt: iso(since),
    }),

    projectsOf: async (userId: string): Promise<unknown[]> => (isOwner(userId) ? projects.present("OWNER") : []),
  }
}

export type Accounts = ReturnType<typeof createAccountActions>
