import { forbidden } from "../kernel/errors.ts"

export type Role = "OWNER" | "ADMIN" | "MEMBER"
/** A secret key has the rights of a member and may manage domains (contract B8.4). */
export type Authority = Role | "KEY"

/** The permissions in a project. `project.use` is all resources of contract B8.4, first row. */
const allowed = {
  "project.use": ["OWNER", "ADMIN", "MEMBER", "KEY"],
  "project.read": ["OWNER", "ADMIN", "MEMBER"],
  "domains.manage": ["OWNER", "ADMIN", "KEY"],
  "project.manage": ["OWNER", "ADMIN"],
} as const satisfies Record<string, readonly Authority[]>

export type Permission = keyof typeof allowed

const may = (authority: Authority, permission: Permission): boolean =>
  (allowed[permission] as readonly Authority[]).includes(authority)

/** The only place that decides who may do what. @throws {DomainError} 403 that names the role required */
export function authorize(authority: Authority, permission: Permission): void {
  if (!may(authority, permission)) throw forbidden("Only the owner and the admins of this project may do this.")
}
