import { Type as t } from "@sinclair/typebox"
import { about, answers, id, named, oneOf, orNull, time } from "../../http/openapi/describe.ts"

const createdAt = "2026-01-31T09:15:00.000Z"

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
  id: "0199c0de-0000-7000-8000-000000000002",
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
    role: oneOf(["OWNER", "ADMIN", "MEMBER"]),
    disabled: t.Boolean(),
    disabledReason: orNull(oneOf(["EMAIL_REPUTATION", "MANUAL"])),
    customer: t.Null(),
    subscription: t.Null(),
    tracking: oneOf(["ENABLED", "DISABLED", "MARKETING_ONLY"]),
    language: t.String(),
    createdAt: time(),
    updatedAt: time(),
  }),
)

export const projectsAnswer = answers(200, t.Array(project), [
  {
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
    createdAt,
    updatedAt: createdAt,
  },
])
