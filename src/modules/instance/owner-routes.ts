import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type Config, shownSettings } from "../../config.ts"
import {
  about,
  answers,
  bySession,
  id,
  named,
  oneOf,
  orNull,
  refuses,
  time,
  wrapped,
} from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { buildInfo } from "../../kernel/build-info.ts"
import { iso } from "../../kernel/clock.ts"
import type { Accounts } from "../accounts/index.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Emails } from "../emails/index.ts"

export interface OwnerDeps {
  readonly accounts: Pick<Accounts, "projectsWithOwner">
  readonly contacts: Pick<Contacts, "count">
  readonly emails: Pick<Emails, "countSent">
}

export const instanceProjectSchema = named(
  "InstanceProject",
  t.Object({
    id: id(),
    name: t.String(),
    owner: about(
      "The address of its owner; null for one made on the command line before the first account.",
      orNull(t.String()),
    ),
    disabled: t.Boolean(),
    disabledReason: orNull(oneOf(["EMAIL_REPUTATION", "MANUAL"])),
    emailsSent: t.Integer(),
    contactCount: t.Integer(),
    createdAt: time(),
  }),
)

const projectsAnswer = {
  ...answers(200, wrapped(t.Array(instanceProjectSchema)), {
    success: true,
    data: [
      {
        id: "0199c0de-0000-7000-8000-000000000001",
        name: "Acme",
        owner: "ada@acme.test",
        disabled: false,
        disabledReason: null,
        emailsSent: 1200,
        contactCount: 340,
        createdAt: "2026-01-31T09:15:00.000Z",
      },
    ],
  }),
  ...refuses(403),
}

const setting = t.Object({ key: t.String(), value: t.Unknown(), default: t.Unknown() })
export const instanceSettingsSchema = t.Object({
  version: t.String(),
  commit: t.String(),
  settings: t.Array(setting),
})
const settingsAnswer = {
  ...answers(200, wrapped(instanceSettingsSchema), {
    success: true,
    data: { version: "1.0.0", commit: "dev", settings: [{ key: "http.port", value: 3000, default: 3000 }] },
  }),
  ...refuses(403),
}

/** Routes for the owner of the instance (contract B8.3.17, B8.3.18). */
export function ownerRoutes(config: Config, { accounts, contacts, emails }: OwnerDeps, protect: Protect) {
  async function projects() {
    const sent = await emails.countSent()
    const data = []
    for (const { project, owner } of await accounts.projectsWithOwner()) {
      const { id, name, disabled, disabledReason, createdAt } = project
      const counts = { emailsSent: sent.get(id) ?? 0, contactCount: await contacts.count(id) }
      data.push({ id, name, owner, disabled, disabledReason, ...counts, createdAt: iso(createdAt) })
    }
    return { success: true, data }
  }
  const { version, commit } = buildInfo
  return new Elysia({ prefix: "/instance", detail: { tags: ["Instance"], security: bySession } })
    .use(protect.user({ owner: true }))
    .get("/projects", projects, {
      detail: {
        operationId: "listInstanceProjects",
        summary: "All projects of this server, with their owners",
        responses: projectsAnswer,
      },
    })
    .get("/settings", () => ({ success: true, data: { version, commit, settings: shownSettings(config) } }), {
      detail: {
        operationId: "getInstanceSettings",
        summary: "The configuration in force, without its secrets",
        responses: settingsAnswer,
      },
    })
}
