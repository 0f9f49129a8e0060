import { iso } from "../../kernel/clock.ts"
import type { ProjectWithSecret } from "./actions.ts"
import type { Project } from "./table.ts"

/** A project as shown by the command line (contract A8.1). */
export const presentListed = ({ id, name, publicKey, disabled, createdAt }: Project) => ({
  id,
  name,
  public: publicKey,
  disabled,
  createdAt: iso(createdAt),
})

/** A project as shown to its members (contract B8.3); `secret` is null for those who may not see it. */
export const presentProject = (project: ProjectWithSecret, role: "OWNER" | "ADMIN" | "MEMBER") => ({
  id: project.id,
  name: project.name,
  public: project.publicKey,
  secret: role === "MEMBER" ? null : project.secret,
  role,
  disabled: project.disabled,
  disabledReason: project.disabledReason,
  customer: null,
  subscription: null,
  tracking: project.tracking,
  language: project.language,
  publicResubscribe: project.publicResubscribe,
  postalAddress: project.postalAddress,
  createdAt: iso(project.createdAt),
  updatedAt: iso(project.updatedAt),
})
