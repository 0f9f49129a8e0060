import { Type as t } from "@sinclair/typebox"
import {
  about,
  answers,
  id,
  named,
  oneOf,
  onlyNull,
  orNull,
  refuses,
  time,
  wrapped,
} from "../../http/openapi/describe.ts"
import { trackingModes } from "../projects/index.ts"
import { roles } from "./table.ts"

const createdAt = "2026-01-31T09:15:00.000Z"
const userId = "0199c0de-0000-7000-8000-000000000002"

const user = named(
  "User",
  t.Object({
    id: id(),
    email: t.String(),
    type: about("OWNER is the owner of the instance.", oneOf(["OWNER", "USER"])),
    emailVerified: t.Boolean(),
    createdAt: time(),
  }),
)

export const userAnswer = answers(200, user, {
  id: userId,
  email: "owner@acme.test",
  type: "OWNER",
  emailVerified: true,
  createdAt,
})

const project = named(
  "Project",
  t.Object({
    id: id(),
    name: t.String(),
    public: about("The public key.", t.String()),
    secret: about("The secret key; null for those who may not see it.", orNull(t.String())),
    role: oneOf(roles),
    disabled: t.Boolean(),
    disabledReason: orNull(oneOf(["EMAIL_REPUTATION", "MANUAL"])),
    customer: onlyNull(),
    subscription: onlyNull(),
    tracking: oneOf(trackingModes),
    language: t.String(),
    publicResubscribe: about("Whether the public key may subscribe a contact that is unsubscribed.", t.Boolean()),
    postalAddress: about("A line for the footer of marketing mail.", orNull(t.String())),
    createdAt: time(),
    updatedAt: time(),
  }),
)

const projectExample = {
  id: "0199c0de-0000-7000-8000-000000000001",
  name: "Acme",
  public: `pk_${"1f".repeat(32)}`,
  secret: `sk_${"2e".repeat(32)}`,
  role: "OWNER",
  disabled: false,
  disabledReason: null,
  customer: null,
  subscription: null,
  tracking: "ENABLED",
  language: "en",
  publicResubscribe: true,
  postalAddress: null,
  createdAt,
  updatedAt: createdAt,
} as const

export const projectsAnswer = answers(200, t.Array(project), [projectExample])
export const projectAnswer = { ...answers(200, project, projectExample), ...refuses(403) }
export const projectCreated = { ...answers(201, project, projectExample), ...refuses(403) }

const done = t.Object({ success: t.Literal(true), message: t.String() })
export const doneAnswer = {
  ...answers(200, done, { success: true, message: "The project is empty." }),
  ...refuses(403),
}

const account = wrapped(t.Object({ id: id(), email: t.String() }))
const accountExample = { success: true, data: { id: userId, email: "ada@acme.test" } } as const
export const accountCreated = { ...answers(201, account, accountExample), ...refuses(403, 409, 429) }
export const accountAnswer = { ...answers(200, account, accountExample), ...refuses(401, 403, 429) }

const note = wrapped(t.Object({ message: t.String() }))
export const noteAnswer = {
  ...answers(200, note, { success: true, data: { message: "Done." } }),
  ...refuses(400, 403, 409, 429),
}

const providers = wrapped(t.Object({ github: t.Boolean(), google: t.Boolean() }))
export const oauthAnswer = answers(200, providers, { success: true, data: { github: false, google: false } })

const setup = wrapped(t.Object({ required: t.Boolean() }))
export const setupAnswer = answers(200, setup, { success: true, data: { required: false } })

const session = named(
  "Session",
  t.Object({
    id: id(),
    current: about("Whether this is the session of the request.", t.Boolean()),
    userAgent: t.String(),
    address: about("Of the peer that signed in.", t.String()),
    createdAt: time(),
    expiresAt: time(),
  }),
)

export const sessionsAnswer = answers(200, wrapped(t.Array(session)), {
  success: true,
  data: [
    {
      id: "0199c0de-0000-7000-8000-000000000003",
      current: true,
      userAgent: "Mozilla/5.0",
      address: "203.0.113.7",
      createdAt,
      expiresAt: "2026-02-07T09:15:00.000Z",
    },
  ],
})

const member = named("Member", t.Object({ userId: id(), email: t.String(), role: oneOf(roles), createdAt: time() }))
const memberExample = { userId, email: "bo@acme.test", role: "MEMBER", createdAt } as const
export const membersAnswer = {
  ...answers(200, wrapped(t.Array(member)), { success: true, data: [memberExample] }),
  ...refuses(403),
}
export const memberAnswer = {
  ...answers(200, wrapped(member), { success: true, data: memberExample }),
  ...refuses(403),
}
export const memberCreated = {
  ...answers(201, wrapped(member), { success: true, data: memberExample }),
  ...refuses(403, 404, 409, 429),
}

export const refusal = {
  true: answers(200, t.Literal(true), true),
  gone: { ...answers(204), ...refuses(403) },
}
