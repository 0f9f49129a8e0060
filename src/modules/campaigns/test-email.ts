import type { Engine } from "../../engine.ts"
import type { ProjectRef } from "../../http/auth.ts"
import { forbidden } from "../../kernel/errors.ts"
import { findContactByAddress } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { Emails } from "../emails/index.ts"
import type { CampaignActions } from "./actions.ts"
import { bulkMessageOf } from "./message.ts"

interface TestEmailDeps extends Pick<Engine, "store"> {
  readonly get: CampaignActions["get"]
  readonly domains: Domains
  readonly emails: Emails
  /** Whether test messages of a project may go to an address, in canonical form: a member's, or any in the sandbox. */
  readonly mayTest: (projectId: string, address: string) => Promise<boolean>
}

/** Sends a test message of a campaign, in whatever status, to one address (contract B1.7). */
export const createSendTest =
  ({ store, get, domains, emails, mayTest }: TestEmailDeps) =>
  async (project: ProjectRef, id: string, address: string): Promise<void> => {
    const campaign = await get(project.id, id)
    if (!(await mayTest(project.id, address))) throw forbidden("A test message goes to members of the project alone.")
    await domains.requireVerifiedSender(project.id, campaign.from)
    const contact = await findContactByAddress(store.read, project.id, address)
    await emails.sendTest(bulkMessageOf(campaign, project), address, contact)
  }

export type SendTest = ReturnType<typeof createSendTest>
