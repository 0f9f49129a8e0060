import { createHash } from "node:crypto"
import type { Engine } from "../../engine.ts"
import { notFound } from "../../kernel/errors.ts"
import type { Email, Emails, Report } from "../emails/index.ts"
import type { ProvidedMail } from "./provided.ts"
import type { ProviderReport } from "./provider-report.ts"
import { readBytes } from "./returned/parts.ts"
import { returnedResults } from "./returned/read.ts"
import { saveReceived } from "./store.ts"

export interface ReportDeps {
  readonly emails: Pick<Emails, "findReported" | "report">
  /** Stores mail that a provider has received for us, once. Provided by the module of incoming mail. */
  readonly takeMail: (mail: ProvidedMail) => Promise<void>
}

export function createReportActions({ store }: Pick<Engine, "store">, { emails, takeMail }: ReportDeps) {
  /** Gives a report its effect, once. */
  const apply = ({ id, projectId }: Email, key: string, report: Report): Promise<void> =>
    store.write(projectId, async (unit) => {
      if (await saveReceived(unit, key)) await emails.report(unit, id, report)
    })

  return {
    takeMail,

    /** Applies a report, once. @throws {DomainError} 404 for an unknown or deleted message */
    async receive({ key, mail, report }: ProviderReport): Promise<void> {
      const email = await emails.findReported(mail)
      if (email === undefined) throw notFound("Email", "")
      if (report !== undefined) await apply(email, key, report)
    },

    /**
     * Applies mail that came to the return path of a message, once (contract B9.6.4). Mail that is not a report, or is
     * about a message that no longer exists, has no effect.
     */
    async receiveReturned(emailId: string, raw: Uint8Array): Promise<void> {
      const email = await emails.findReported({ emailId, providerId: null, messageId: null })
      if (email === undefined) return
      const results = returnedResults(raw)
      // A report about several addresses behind that of the message is not about all of them.
      const result = results.find(({ recipient }) => recipient === email.to) ?? results[0]
      if (result?.report === undefined) return
      const digest = createHash("sha256").update(raw.subarray(0, readBytes)).digest("base64url")
      await apply(email, `returned:${emailId}:${digest}`, result.report)
    },
  }
}

export type Reports = ReturnType<typeof createReportActions>
