import type { presentMember } from "../../modules/accounts/index.ts"
import type { presentAudit } from "../../modules/audit/index.ts"
import type { setupSchema } from "../../modules/setup/index.ts"
import { call, queryString, read } from "./http.ts"
import type { Project } from "./instance.ts"
import type { CursorPage, Frozen, Wire } from "./types.ts"

export type Role = Project["role"]
/** A role that can be assigned; the OWNER never changes. */
export type GivenRole = Exclude<Role, "OWNER">
export type Tracking = Project["tracking"]
export type Member = Frozen<ReturnType<typeof presentMember>>
export type AuditEntry = Frozen<ReturnType<typeof presentAudit>>

interface ProjectChange {
  readonly name?: string
  readonly language?: string
  readonly tracking?: Tracking
  readonly publicResubscribe?: boolean
  readonly postalAddress?: string | null
  readonly disabled?: boolean
}

/** The remaining set-up steps of a new project (contract B8.3.9). */
type SetupState = Wire<typeof setupSchema>

const own = (id: string): string => `/users/@me/projects/${encodeURIComponent(id)}`
const shared = (id: string): string => `/projects/${encodeURIComponent(id)}`
const memberPath = (id: string, userId: string): string => `${shared(id)}/members/${encodeURIComponent(userId)}`

export const createProject = (name: string): Promise<Project> =>
  read("/users/@me/projects", { method: "POST", body: { name } })

export const changeProject = (id: string, change: ProjectChange): Promise<Project> =>
  read(own(id), { method: "PATCH", body: change })

export const rotateKeys = (id: string): Promise<Project> => read(`${own(id)}/regenerate-keys`, { method: "POST" })

export async function deleteProject(id: string): Promise<void> {
  await call(own(id), { method: "DELETE" })
}

export async function resetProject(id: string): Promise<void> {
  await call(`${own(id)}/reset`, { method: "POST" })
}

export async function leaveProject(id: string): Promise<void> {
  await call(`${own(id)}/leave`, { method: "POST" })
}

const unwrapped = async <T>(answer: Promise<{ readonly data: T }>): Promise<T> => (await answer).data

export const getSetupState = (id: string): Promise<SetupState> => unwrapped(read(`${shared(id)}/setup-state`))

export const listProjectMembers = (id: string): Promise<readonly Member[]> => unwrapped(read(`${shared(id)}/members`))

/** @throws {ApiError} 404 when there is no account with this address. */
export const addProjectMember = (id: string, email: string, role: GivenRole): Promise<Member> =>
  unwrapped(read(`${shared(id)}/members`, { method: "POST", body: { email, role } }))

export const changeRole = (id: string, userId: string, role: GivenRole): Promise<Member> =>
  unwrapped(read(memberPath(id, userId), { method: "PATCH", body: { role } }))

export async function removeProjectMember(id: string, userId: string): Promise<void> {
  await call(memberPath(id, userId), { method: "DELETE" })
}

/** The audit log of a project, or of the whole instance for null; newest first. */
export const listAudit = (id: string | null, cursor?: string): Promise<CursorPage<AuditEntry>> =>
  read(`${id === null ? "/instance" : shared(id)}/audit${queryString({ cursor, limit: 50 })}`)
