import type { Engine } from "../../engine.ts"
import { readSession, type SessionClaims, type Sessions } from "../../http/session.ts"
import type { Db } from "../../store/database.ts"
import type { Projects } from "../projects/index.ts"
import { newSession } from "./sessions.ts"
import { findSession, findUser, insertSession, insertUser } from "./store.ts"

/** The owner of everything whom the sandbox signs in automatically (contract A8.3.6). */
const builtInOwner = "00000000-0000-7000-8000-000000000001"

interface BuiltInOwnerDeps {
  readonly projects: Pick<Projects, "findUndeleted">
  readonly sessions: Sessions
}

export function createBuiltInOwner(
  { store, ids, config, clock }: Pick<Engine, "store" | "ids" | "config" | "clock">,
  { projects, sessions }: BuiltInOwnerDeps,
) {
  /** Whether a user is the built-in owner, who exists in the sandbox only. */
  const isBuiltIn = (userId: string): boolean => config.mode === "sandbox" && userId === builtInOwner

  return {
    isBuiltIn,

    /** The membership of the built-in owner, who is a member of every project; undefined for everybody else. */
    async memberOf(userId: string, projectId: string | null, db?: Db) {
      if (!isBuiltIn(userId) || projectId === null) return undefined
      const project = await projects.findUndeleted(projectId, db)
      return project && { project, role: "OWNER" as const }
    },

    /** A session of the built-in owner, unless the request already has a valid one. */
    async enter(request: Request): Promise<SessionClaims | undefined> {
      const claims = readSession(request, sessions, clock.now())
      if (claims && (await findSession(store.read, claims.sessionId, null))) return undefined
      return store.write("instance", async (unit) => {
        const userAgent = request.headers.get("user-agent") ?? ""
        const session = newSession(unit, ids.next(), builtInOwner, { userAgent, address: "this machine" })
        await insertSession(unit, session)
        const { id: sessionId, userId, createdAt, expiresAt } = session
        return { sessionId, userId, createdAt, expiresAt }
      })
    },

    /** Creates the built-in owner, who has no valid password. Called at every start of a sandbox. */
    async make(): Promise<void> {
      if ((await findUser(store.read, builtInOwner)) !== undefined) return
      await store.write("instance", async (unit) => {
        const times = { verifiedAt: unit.now, createdAt: unit.now, updatedAt: unit.now }
        const who = { id: builtInOwner, email: "owner@localhost", passwordHash: "", isOwner: true, language: "en" }
        await insertUser(unit, { ...who, ...times })
      })
    },
  }
}

export type BuiltInOwner = ReturnType<typeof createBuiltInOwner>
