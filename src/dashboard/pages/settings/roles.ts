import type { GivenRole, Role } from "../../api/projects.ts"

export const roleNames: Readonly<Record<Role, string>> = { OWNER: "Owner", ADMIN: "Admin", MEMBER: "Member" }

export const givenRoles: readonly GivenRole[] = ["MEMBER", "ADMIN"]
