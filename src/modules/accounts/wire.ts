import { type Static, Type } from "@sinclair/typebox"
import { projectDisabledError } from "../../http/auth.ts"
import { blankFaults, choice, choiceFaults, optional, shape, text, withRules } from "../../http/schema.ts"
import { iso } from "../../kernel/clock.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { isObject } from "../../kernel/json.ts"
import { type SettingsChange, trackingModes } from "../projects/index.ts"
import { passwordFault, passwordLength } from "./passwords.ts"
import type { MemberRow } from "./store.ts"
import type { Session, User } from "./table.ts"

const address = text({ form: "address" })
const secretText = text()
/** The length is documented here and checked by a rule, together with the list of common passwords. */
const newPassword = Type.Unsafe<string>({
  ...secretText,
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  description: "Not one of the most used ones.",
})

/** Only of a password that is set; at sign-in an invalid one is only wrong. */
function newPasswordFaults(field: string, value: unknown): Fault[] {
  const wrong = typeof value === "string" ? passwordFault(value) : undefined
  return wrong ? [fault(field, wrong.code, wrong.message)] : []
}

export const signupBody = withRules(
  shape({ email: address, password: newPassword, setupToken: optional(text()) }),
  ({ password }) => newPasswordFaults("password", password),
)
export const loginBody = shape({ email: address, password: secretText })
export const tokenBody = shape({ token: text() })
export const emailBody = shape({ email: address })
export const resetBody = withRules(shape({ token: text(), newPassword }), ({ newPassword }) =>
  newPasswordFaults("newPassword", newPassword),
)
export const changePasswordBody = withRules(shape({ currentPassword: secretText, newPassword }), ({ newPassword }) =>
  newPasswordFaults("newPassword", newPassword),
)
export const changeEmailBody = shape({ email: address, password: secretText })
export const passwordBody = shape({ password: secretText })

/** One line, because it is the default sender name of mail. */
const projectName = text({ min: 1, max: 100, form: "line" })
export const newProjectBody = withRules(shape({ name: projectName }), ({ name }) => blankFaults("name", name))
export const projectBody = withRules(
  shape({
    name: Type.Optional(projectName),
    tracking: Type.Optional(choice(trackingModes)),
    language: Type.Optional(text({ form: "language" })),
    publicResubscribe: Type.Optional(Type.Boolean()),
    postalAddress: optional(text({ min: 1, max: 200, form: "line" })),
    disabled: Type.Optional(Type.Boolean()),
  }),
  ({ name, tracking }) => [...blankFaults("name", name), ...choiceFaults("tracking", tracking, trackingModes)],
)

/**
 * Checked before the shape of the body: in a disabled project only `disabled` may be changed. @throws {DomainError} 403
 */
export function requireEnabled({ disabled }: { readonly disabled: boolean }, sent: unknown): void {
  if (disabled && !(isObject(sent) && "disabled" in sent)) throw projectDisabledError()
}

const givenRoles = ["ADMIN", "MEMBER"] as const
const roleFaults = ({ role }: Record<string, unknown>) => choiceFaults("role", role, givenRoles)
export const newMemberBody = withRules(shape({ email: address, role: optional(choice(givenRoles)) }), roleFaults)
export const memberBody = withRules(shape({ role: choice(givenRoles) }), roleFaults)

/** The settings in a body; what else it has is ignored (contract A1.2.3). */
export const projectChangeIn = (sent: Static<typeof projectBody>): SettingsChange => ({
  name: sent.name,
  tracking: sent.tracking,
  language: sent.language,
  publicResubscribe: sent.publicResubscribe,
  postalAddress: sent.postalAddress,
  disabled: sent.disabled,
})

/** Contract B8.3.1. */
export const presentUser = ({ id, email, isOwner, verifiedAt, createdAt }: User) => ({
  id,
  email,
  type: isOwner ? ("OWNER" as const) : ("USER" as const),
  emailVerified: verifiedAt !== null,
  createdAt: iso(createdAt),
})

export const presentMember = ({ userId, email, role, createdAt }: MemberRow) => ({
  userId,
  email,
  role,
  createdAt: iso(createdAt),
})

export const presentSession = (session: Session, currentId: string) => ({
  id: session.id,
  current: session.id === currentId,
  userAgent: session.userAgent,
  address: session.address,
  createdAt: iso(session.createdAt),
  expiresAt: iso(session.expiresAt),
})

/** Contract B8.2. */
export const note = (message: string) => ({ success: true as const, data: { message } })
