import { type Static, Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, bySession, orNull, refuses, time, wrapped } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { isoOrNull } from "../../kernel/clock.ts"
import type { Module } from "../../module.ts"
import type { Campaigns } from "../campaigns/index.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { Workflows } from "../workflows/index.ts"

interface SetupDeps {
  readonly domains: Pick<Domains, "hasVerified">
  readonly contacts: Pick<Contacts, "count">
  readonly campaigns: Pick<Campaigns, "lastSentAt">
  readonly workflows: Pick<Workflows, "hasEnabled">
}

interface Setup {
  of(projectId: string): Promise<Static<typeof setupSchema>>
}

/** The set-up state of a project: the next steps in the dashboard (contract B8.3.9). */
export function createSetup({ domains, contacts, campaigns, workflows }: SetupDeps) {
  const actions: Setup = {
    async of(projectId) {
      return {
        hasSubscription: false,
        hasVerifiedDomain: await domains.hasVerified(projectId),
        contactCount: await contacts.count(projectId),
        lastCampaignSentAt: isoOrNull(await campaigns.lastSentAt(projectId)),
        hasEnabledWorkflow: await workflows.hasEnabled(projectId),
      }
    },
  }
  return { name: "setup", actions, routes: (protect) => setupRoutes(actions, protect) } satisfies Module
}

export const setupSchema = t.Object({
  hasSubscription: about("The product has no billing.", t.Boolean()),
  hasVerifiedDomain: t.Boolean(),
  contactCount: t.Integer(),
  lastCampaignSentAt: about("When the sending of the latest campaign started.", orNull(time())),
  hasEnabledWorkflow: t.Boolean(),
})

const example = {
  success: true,
  data: {
    hasSubscription: false,
    hasVerifiedDomain: true,
    contactCount: 42,
    lastCampaignSentAt: null,
    hasEnabledWorkflow: false,
  },
} as const

function setupRoutes(setup: Setup, protect: Protect) {
  return new Elysia({ detail: { tags: ["Projects"], security: bySession } })
    .use(protect.member({ permission: "project.read" }))
    .get("/projects/:id/setup-state", async ({ project }) => ({ success: true, data: await setup.of(project.id) }), {
      detail: {
        operationId: "getSetupState",
        summary: "How far a project has been set up",
        responses: { ...answers(200, wrapped(setupSchema), example), ...refuses(403) },
      },
    })
}
