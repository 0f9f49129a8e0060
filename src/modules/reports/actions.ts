import type { Engine } from "../../engine.ts"
import { notFound } from "../../kernel/errors.ts"
import type { Emails } from "../emails/index.ts"
import type { Received } from "./receipt.ts"
import { saveReceived } from "./store.ts"

export interface ReportDeps {
  readonly emails: Pick<Emails, "findReported" | "report">
}

export function createReportActions({ store }: Pick<Engine, "store">, { emails }: ReportDeps) {
  return {
    /** Gives a report its effect, once. @throws {DomainError} 404 for a message that is not known, or not any more */
    async receive({ key, mail, report }: Received): Promise<void> {
      const email = await emails.findReported(mail)
      if (email === undefined) throw notFound("Email", "")
      if (report === undefined) return
      await store.write(email.projectId, async (unit) => {
        if (await saveReceived(unit, key)) await emails.report(unit, email.id, report)
      })
    },
  }
}

export type Reports = ReturnType<typeof createReportActions>
