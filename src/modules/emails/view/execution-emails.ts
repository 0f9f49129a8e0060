import { inArray } from "drizzle-orm"
import { compose } from "../../../mail/compose.ts"
import type { Db } from "../../../store/database.ts"
import type { Unit } from "../../../store/writer.ts"
import { findContent } from "../content/content.ts"
import type { Drafts } from "../content/drafts.ts"
import { findEmail } from "../ledger.ts"
import { type Content, type Email, emailTable } from "../table.ts"

/** The rows that a message is made of. */
export interface EmailSources {
  readonly email: Email
  readonly content: Content
}

/** Operations of workflows on the messages of their executions. */
export const createExecutionEmails = (drafts: Pick<Drafts, "shown">) => ({
  /** Removes the executions, which are being deleted, from their messages (contract B5.2.6). */
  async releaseExecutions(unit: Unit, executionIds: readonly string[]): Promise<void> {
    await unit.db
      .update(emailTable)
      .set({ workflowExecutionId: null })
      .where(inArray(emailTable.workflowExecutionId, [...executionIds]))
  },

  /** A message as a unit sees it, which need not be committed. */
  async sourcesOf(db: Db, id: string): Promise<EmailSources | undefined> {
    const email = await findEmail(db, id)
    const content = email?.contentHash ? await findContent(db, email.projectId, email.contentHash) : undefined
    return email && content && { email, content }
  },

  /** The message without tracking. Throws a RenderFault. */
  async shownAs({ email, content }: EmailSources): Promise<{ html: string; text: string }> {
    const { html, text } = compose(await drafts.shown(email, content))
    return { html, text }
  },
})
